import { minuteMs } from '#rules/time/durations.ts';
import { agree, patchBetween } from '#server/devices/desiredChanges/patchBetween.ts';
import type { OpenChange } from '#server/devices/desiredChanges/store.ts';
import type { MergedReport } from '#server/devices/stateHistory/historyOf.ts';

/**
 * A device does what it was told within this time, even if it moves a blind or a valve. A later report may have another
 * cause, such as a person at a switch.
 */
export const causesForMs = 10 * minuteMs;

/**
 * The module runs that led to a report, first to last: the report sets a value that a module added to the desired state
 * shortly before. Without this, two rules that undo each other's changes would run forever, since each only sees a
 * device that reports. Of several chains, the longest counts.
 */
export function causesOfReport(
  { at, before, after }: Pick<MergedReport, 'at' | 'before' | 'after'>,
  open: readonly Pick<OpenChange, 'patch' | 'sentAt' | 'causedBy'>[] = [],
): readonly string[] {
  let causes: readonly string[] = [];
  for (const { causedBy, patch, sentAt } of open) {
    if (causedBy.length <= causes.length) continue;
    // A device may report before its delivery is recorded.
    if (sentAt !== null && at.getTime() - sentAt.getTime() > causesForMs) continue;
    if (agree(patch, patchBetween(before, after))) causes = causedBy;
  }
  return causes;
}
