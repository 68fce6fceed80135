import { causedHopsMax } from '#rules/modules/moduleLimits.ts';
import type { Running } from '#server/modules/smartModules/moduleType.ts';

type About = Pick<Running, 'event' | 'device' | 'isTest' | 'causedBy'>;

/** The body of a webhook: the envelope of Standard Webhooks around one event. */
export function webhookBody({ event, device, isTest, causedBy }: About, now: Date): string {
  return JSON.stringify({
    type: event?.name ?? 'test',
    timestamp: event?.ts ?? now.toISOString(),
    data: {
      ...(event && { event: { id: event.id, name: event.name, ts: event.ts } }),
      ...(device && {
        device: { id: device.id, tag: device.tag, name: device.name, deviceClass: device.deviceClass },
        ...(device.homeId !== undefined && { home: { id: device.homeId } }),
      }),
      ...(event && { payload: event.payload }),
      ...(causedBy.length > 0 && { causedBy: causedBy.slice(-causedHopsMax) }),
      ...(isTest && { isTest }),
    },
  });
}
