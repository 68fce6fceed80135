import type { Rollout } from '#contract/rollout.ts';

/** What a rollout shows changes with every report of a device, far more often than anyone changes the rollout itself. */
export const rolloutPollMs = 5_000;

/** What has begun to install goes on in a pause as well, and who was away follows even after the end. */
export const isMoving = (rollout: Rollout | undefined): boolean =>
  rollout !== undefined &&
  (rollout.state === 'running' ||
    rollout.state === 'paused' ||
    rollout.counts.active + rollout.counts.waiting > 0);
