import { failureText } from '#console/firmware/rollouts/failureWords.ts';
import { dayText, momentText } from '#console/ui/time/dateTexts.ts';
import type { OffTarget, OffTargetReason } from '#contract/channelFirmware.ts';

interface ReasonWords {
  says: (device: OffTarget) => string;
  act: 'Try again' | 'Update now' | 'Open pin' | 'Open device';
}

/** Why a device does not run what it should, as a sentence, and the one thing to do about it. */
export const offTargetWords: Record<OffTargetReason, ReasonWords> = {
  failed: { says: failed, act: 'Try again' },
  lost: {
    says: ({ since }) => `Did not come back after its update${since ? `, ${momentText(since)}` : ''}`,
    act: 'Try again',
  },
  retrying: {
    says: device => `${failed(device)}${device.retryAt ? `; tries again ${momentText(device.retryAt)}` : ''}`,
    act: 'Try again',
  },
  declined: { says: () => 'Declined on the device', act: 'Try again' },
  unlisted: { says: () => 'Flashed by hand; no bundle has this version', act: 'Update now' },
  pinned: { says: ({ pin }) => `Pinned to ${pin?.name ?? 'another bundle'}`, act: 'Open pin' },
  suspended: { says: () => 'Suspended, so it gets no updates', act: 'Open device' },
  unknown: { says: () => 'Not known yet', act: 'Open device' },
  disconnected: {
    says: ({ since }) => `Disconnected${since ? ` since ${dayText(since)}` : ''}; updates when it reconnects`,
    act: 'Open device',
  },
};

function failed({ code, error, attempts }: OffTarget): string {
  const times = attempts > 1 ? `Failed ${attempts === 2 ? 'twice' : `${attempts} times`}` : 'Failed';
  return code === undefined ? times : `${times}: ${error ?? failureText(code)}`;
}
