import type { Slice } from '#server/slice.ts';

/**
 * The rows of rollouts, below channels and devices: those report what becomes of a rollout, and the rollouts slice
 * above them decides and answers.
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
