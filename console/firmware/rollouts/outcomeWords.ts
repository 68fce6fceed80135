import type { Tone } from '#console/ui/state/StatePill.tsx';
import type { RolloutDevice } from '#contract/rolloutReport.ts';

/** The outcomes of the devices that a rollout admits. */
export const outcomeWords: Record<RolloutDevice['outcome'], { tone: Tone; word: string }> = {
  waiting: { tone: 'off', word: 'Waiting, disconnected' },
  active: { tone: 'busy', word: 'In progress' },
  updated: { tone: 'ok', word: 'Updated' },
  failed: { tone: 'danger', word: 'Failed' },
  unable: { tone: 'warn', word: 'Unable' },
  declined: { tone: 'off', word: 'Declined' },
  left: { tone: 'never', word: 'Left' },
};
