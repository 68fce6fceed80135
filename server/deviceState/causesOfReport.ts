import { agree, patchBetween } from '#server/desiredChanges/patchBetween.ts';
import type { OpenChange } from '#server/desiredChanges/store.ts';
import type { MergedReport } from '#server/stateHistory/historyOf.ts';

/**
 * A device that has been told does what it was told within this time, if it moves a blind or a valve as well. What it
 * reports later can have another cause, such as a hand at a switch.
 */
export const causesForMs = 10 * 60_000;

/**
 * The runs of modules that led to a report, first to last: it sets a value to what a module desired of the device a moment
 * ago. Without this, two rules that undo what the other desires would go on forever, since each sees a device that reports.
 * Of several, the longest chain counts.
 */
export function causesOfReport(
  { at, before, after }: Pick<MergedReport, 'at' | 'before' | 'after'>,
  open: readonly Pick<OpenChange, 'patch' | 'sentAt' | 'causedBy'>[] = [],
): readonly string[] {
  let causes: readonly string[] = [];
  for (const { causedBy, patch, sentAt } of open) {
    if (causedBy.length <= causes.length) continue;
    // A device can report faster than it is noted that it was told.
    if (sentAt !== null && at.getTime() - sentAt.getTime() > causesForMs) continue;
    if (agree(patch, patchBetween(before, after))) causes = causedBy;
  }
  return causes;
}
