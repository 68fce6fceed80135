import type { Rollout } from '#contract/rollout.ts';

/**
 * The figures of a rollout change with every report of a device, far more often than anyone edits the rollout itself.
 */
export const rolloutPollMs = 5_000;

/**
 * Installations that have begun continue during a pause, and devices that were disconnected follow even after the end.
 */
export const isMoving = (rollout: Rollout | undefined): boolean =>
  rollout !== undefined &&
  (rollout.state === 'running' ||
    rollout.state === 'paused' ||
    rollout.counts.active + rollout.counts.waiting > 0);
