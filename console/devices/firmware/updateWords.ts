import { momentText } from '#console/ui/state/dateTexts.ts';
import type { Tone } from '#console/ui/state/StatePill.tsx';
import type { DeviceUpdate } from '#contract/deviceFirmware.ts';

interface StateWords {
  tone: Tone;
  word: string;
  /** It is neither over nor waiting for the device to come back. */
  isMoving?: true;
}

/** How far a device is with what it was told to run. */
export const updateWords: Record<DeviceUpdate['state'], StateWords> = {
  none: { tone: 'never', word: 'Nothing assigned' },
  waiting: { tone: 'off', word: 'Waits for the device' },
  offered: { tone: 'busy', word: 'Offered', isMoving: true },
  accepted: { tone: 'busy', word: 'Accepted', isMoving: true },
  downloading: { tone: 'busy', word: 'Downloading', isMoving: true },
  verifying: { tone: 'busy', word: 'Verifying', isMoving: true },
  ready: { tone: 'busy', word: 'Ready to install', isMoving: true },
  installing: { tone: 'busy', word: 'Installing', isMoving: true },
  rebooting: { tone: 'busy', word: 'Rebooting', isMoving: true },
  confirming: { tone: 'busy', word: 'Confirming', isMoving: true },
  done: { tone: 'ok', word: 'Running' },
  failed: { tone: 'danger', word: 'Failed' },
  declined: { tone: 'off', word: 'Declined' },
  lost: { tone: 'danger', word: 'Lost' },
  withdrawn: { tone: 'off', word: 'Withdrawn' },
  superseded: { tone: 'off', word: 'Superseded' },
};

export const isMoving = (update: DeviceUpdate | undefined) =>
  update !== undefined && updateWords[update.state].isMoving === true;

/** It ended otherwise than wanted, and can be tried again by hand. */
export const hasFailed = (update: DeviceUpdate | undefined) =>
  update !== undefined && ['failed', 'lost', 'declined'].includes(update.state);

const waitWords = {
  consent: 'Waits for consent',
  window: 'Waits for its time window',
  battery: 'Waits for its battery',
} as const;

/** "Downloading main, 62 %" */
export function progressText({ state, component, percent, waitsFor, consent }: DeviceUpdate): string {
  const isReady = state === 'ready';
  if (isReady && consent?.until && Date.parse(consent.until) > Date.now())
    return `Postponed in the app until ${momentText(consent.until)}`;
  if (isReady && waitsFor === 'consent' && consent?.answer === 'install') return 'Approved in the app';
  if (isReady && waitsFor) return waitWords[waitsFor];
  const what = [updateWords[state].word, component].filter(Boolean).join(' ');
  return percent !== undefined && updateWords[state].isMoving ? `${what}, ${Math.round(percent)} %` : what;
}
