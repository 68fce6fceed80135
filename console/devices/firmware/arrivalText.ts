import { momentText } from '#console/ui/time/dateTexts.ts';
import type { DeviceFirmware } from '#contract/deviceFirmware.ts';

type Rollout = NonNullable<DeviceFirmware['why']['rollout']>;

/** When a device that a rollout has not admitted yet gets its bundle, as far as that can be known. */
export function arrivalText({ step, steps, percents, place, state, admittedAt, dueAt }: Rollout): string {
  const paused =
    state === 'paused' ? ' The rollout is paused: no device is offered it until the rollout is resumed.' : '';
  if (admittedAt !== undefined)
    return `${dueAt ? `It is offered ${momentText(dueAt)}.` : 'It is offered as soon as the pace allows.'}${paused}`;
  const at = percents.findIndex(share => share > place);
  if (at < 0) return `No step of the rollout reaches it.${paused}`;
  const share = percents[at] ?? 100;
  const takes = share >= 100 ? 'covers all of the channel' : `covers ${share} % of the channel`;
  const before = at + 1 - step;
  const then =
    before <= 0
      ? 'That is the current step.'
      : before === 1
        ? 'That is the next step.'
        : `${before - 1} more ${before === 2 ? 'step comes' : 'steps come'} first.`;
  return `With step ${at + 1} of ${steps}, which ${takes}. ${then}${paused}`;
}
