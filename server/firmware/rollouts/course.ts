import type { RolloutCourse } from '#rules/firmware/rolloutCourse.ts';
import type { SavedCourse } from '#server/firmware/outcomes/rolloutRows.ts';
import type { RolloutRecord } from './store.ts';

const ms = (text: string | undefined) => (text === undefined ? undefined : new Date(text).getTime());
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

/** A rollout's row in the form the rules take. */
export function courseOf({ state, step, steps, settledAt, soakS, pausedBy }: RolloutRecord): RolloutCourse {
  return {
    state,
    step,
    soakMs: soakS * 1000,
    steps: steps.map(({ percent, startsBy, startedAt, endedAt }) => ({
      percent,
      startsBy,
      startedAtMs: ms(startedAt),
      endedAtMs: ms(endedAt),
    })),
    settledAtMs: settledAt?.getTime(),
    pausedBy: pausedBy ?? undefined,
  };
}

/** The columns of a course to be saved. `cause`: why it pauses, if it does. */
export function savedCourse(
  before: RolloutRecord,
  after: RolloutCourse,
  { now, cause }: { now: Date; cause: string | null },
): SavedCourse {
  const { state, step, steps, settledAtMs, pausedBy } = after;
  const isOver = state === 'finished' || state === 'stopped';
  const begun = steps[step]?.startedAtMs;
  const isBegun = state === 'running' && before.state !== 'running';
  return {
    state,
    step,
    pausedBy: pausedBy ?? null,
    pauseCause: state === 'paused' ? cause : null,
    steps: steps.map(({ percent, startsBy, startedAtMs, endedAtMs }) => ({
      percent,
      startsBy,
      startedAt: iso(startedAtMs),
      endedAt: iso(endedAtMs),
    })),
    settledAt: settledAtMs === undefined ? null : new Date(settledAtMs),
    stepStartedAt: begun === undefined ? null : new Date(begun),
    startedAt: before.startedAt ?? (isBegun ? now : null),
    finishedAt: isOver ? (before.finishedAt ?? now) : null,
    gatesFrom: isBegun ? now : before.gatesFrom,
  };
}
