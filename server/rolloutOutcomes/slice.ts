import type { Slice } from '#server/slice.ts';

/**
 * The rows of rollouts, below channels and devices: those report what becomes of a rollout, and the rollouts slice
 * above them decides and answers.
 */
export const rolloutOutcomes: Slice = {
  tables: {
    rollouts: 'A change of a channel’s bundle that goes in steps.',
    rollout_devices: 'A device that a rollout admitted, and what became of it.',
    rollout_events: 'What happened to a rollout.',
    rollout_progress: 'How far a rollout was at a time.',
  },
  idPrefixes: ['rol', 'rev'],
};
