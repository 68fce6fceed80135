import type { LogLineFrame } from '#contract/deviceProtocol.ts';
import type { Frame } from '#server/classes/frames/frames.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import type { Platform } from '#server/infra/platform.ts';

/** Forwards a line of the live log to open consoles; it is not stored. */
export function publishLogLine(
  { clock }: Pick<Platform, 'clock'>,
  liveEvents: LiveEvents,
  device: Pick<ConnectedDevice, 'id' | 'projectId'>,
  { value }: Frame,
): void {
  const { ts = clock().toISOString(), level, text } = value as LogLineFrame;
  liveEvents.publish(device, 'log', { ts, level, text });
}
