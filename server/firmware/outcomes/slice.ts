import type { Slice } from '#server/api/slice.ts';

/**
 * The rows of rollouts. This slice is below channels and devices, which report the outcomes; the rollouts slice above
 * them makes the decisions and answers calls.
 */
export const rolloutOutcomes: Slice = {
  tables: {
    rollouts: 'A staged change of a channel’s bundle.',
    rollout_devices: 'A device that a rollout admitted, and the outcome.',
    rollout_events: 'An event in the course of a rollout: started, paused, next step…',
    rollout_progress: 'The progress of a rollout at a point in time.',
  },
  idPrefixes: ['rol', 'rev'],
};
