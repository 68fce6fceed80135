import type { Rollout } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { isMoving } from './isMoving.ts';

type Progress = RolloutReport['progress'];

/**
 * The samples, followed by the current figures: samples end when a rollout pauses or stops, but devices that have begun
 * to install continue.
 */
export function upToNow(progress: Progress, rollout: Rollout, readAt: number): Progress {
  const last = progress.at(-1);
  if (!last) return progress;
  const { admitted, updated, active, failed } = rollout.counts;
  const isSame = last.updated === updated && last.active === active && last.failed === failed;
  if (isSame && !isMoving(rollout)) return progress;
  const at = new Date(Math.max(readAt, Date.parse(last.at))).toISOString();
  return [...progress, { at, admitted, updated, active, failed }];
}
