import { updateWords } from '#console/devices/firmware/updateWords.ts';
import type { DeviceUpdate } from '#contract/deviceFirmware.ts';
import type { TimelineItem, TimelineKind } from '#contract/timeline.ts';

/** What the kinds are called. */
export const kindWords: Record<TimelineKind, string> = {
  alert: 'Alerts',
  event: 'Events',
  log: 'Connection and system',
  command: 'Commands',
  desired: 'Desired state',
  firmware: 'Firmware',
  change: 'Changes by people',
};

const reasons = { pin: 'pinned', rollout: 'by a rollout', channel: 'by its channel' } as const;

/** "Told to run winter-25, by a rollout", "winter-25: failed, no space" */
export function firmwareText(step: 'assigned' | 'state', update: DeviceUpdate): string {
  const bundle = update.bundle?.name ?? 'no bundle';
  if (step === 'assigned')
    return `Told to run ${bundle}${update.origin ? `, ${reasons[update.origin]}` : ''}`;
  const why = update.error ?? update.code;
  return `${bundle}: ${updateWords[update.state].word}${why ? `, ${why}` : ''}`;
}

/** What the logs say of commands and of the desired state, whose own lines say more, if those are shown. */
const ownKind: Readonly<Record<string, TimelineKind>> = {
  command: 'command',
  sendCommand: 'command',
  writeDesired: 'desired',
};

export function isSaidTwice(item: TimelineItem, kinds: readonly TimelineKind[]): boolean {
  if (item.kind !== 'log' && item.kind !== 'change') return false;
  const own = ownKind[item.entry.action];
  return own !== undefined && (kinds.length === 0 || kinds.includes(own));
}
