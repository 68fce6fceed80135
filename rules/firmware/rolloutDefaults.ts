import { hourS } from '../time/durations.ts';

/** What a new rollout has until a developer changes it. */
export const rolloutDefaults = {
  steps: [
    { percent: 1, startsBy: 'itself' },
    { percent: 5, startsBy: 'itself' },
    { percent: 25, startsBy: 'itself' },
    { percent: 50, startsBy: 'itself' },
    { percent: 100, startsBy: 'hand' },
  ],
  soakS: hourS,
  failurePercent: 5,
  rate: 60,
  delayS: 0,
} as const;
