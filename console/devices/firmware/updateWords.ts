import { serverNow } from '#console/core/serverClock.ts';
import type { Tone } from '#console/ui/state/StatePill.tsx';
import { momentText } from '#console/ui/time/dateTexts.ts';
import type { Consent, DeviceUpdate } from '#contract/deviceFirmware.ts';
import { movingStates } from '#contract/deviceWire.ts';

interface StateWords {
  tone: Tone;
  word: string;
}

/** The states of a device's update in words. */
export const updateWords: Record<DeviceUpdate['state'], StateWords> = {
  none: { tone: 'never', word: 'Nothing assigned' },
  waiting: { tone: 'off', word: 'Waits for the device' },
  offered: { tone: 'busy', word: 'Offered' },
  accepted: { tone: 'busy', word: 'Accepted' },
  downloading: { tone: 'busy', word: 'Downloading' },
  verifying: { tone: 'busy', word: 'Verifying' },
  ready: { tone: 'busy', word: 'Ready to install' },
  installing: { tone: 'busy', word: 'Installing' },
  rebooting: { tone: 'busy', word: 'Rebooting' },
  confirming: { tone: 'busy', word: 'Confirming' },
  done: { tone: 'ok', word: 'Running' },
  failed: { tone: 'danger', word: 'Failed' },
  declined: { tone: 'off', word: 'Declined' },
  lost: { tone: 'danger', word: 'Lost' },
  withdrawn: { tone: 'off', word: 'Withdrawn' },
  superseded: { tone: 'off', word: 'Superseded' },
};

const moving: ReadonlySet<DeviceUpdate['state']> = new Set(movingStates);

export const isMoving = (update: Pick<DeviceUpdate, 'state'> | undefined) =>
  update !== undefined && moving.has(update.state);

/** The update did not succeed, and can be retried by hand. */
export const hasFailed = (update: DeviceUpdate | undefined) =>
  update !== undefined && ['failed', 'lost', 'declined'].includes(update.state);

const waitWords = {
  consent: 'Waits for consent',
  window: 'Waits for its time window',
  battery: 'Waits for its battery',
} as const;

interface Progressing extends Pick<DeviceUpdate, 'state' | 'component' | 'percent' | 'waitsFor'> {
  consent?: Consent | undefined;
}

/** "Downloading main, 62 %" */
export function progressText(update: Progressing): string {
  const { state, component, percent, waitsFor, consent } = update;
  const isReady = state === 'ready';
  if (isReady && consent?.until && Date.parse(consent.until) > serverNow())
    return `Postponed in the app until ${momentText(consent.until)}`;
  if (isReady && waitsFor === 'consent' && consent?.answer === 'install') return 'Approved in the app';
  if (isReady && waitsFor) return waitWords[waitsFor];
  const what = [updateWords[state].word, component].filter(Boolean).join(' ');
  return percent !== undefined && isMoving(update) ? `${what}, ${Math.round(percent)} %` : what;
}
