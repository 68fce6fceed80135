import { serverNow } from '#console/core/serverClock.ts';
import { typeWords } from '#console/modules/moduleTypes.tsx';
import type { Tone } from '#console/ui/state/StatePill.tsx';
import { secondsText } from '#console/ui/time/secondsText.ts';
import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import type { ModuleRun, runStates } from '#contract/moduleRun.ts';
import { webhookAttemptsAfterS } from '#rules/modules/webhookRetries.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import { moduleHourDays } from '#rules/time/retention.ts';

export type RunState = (typeof runStates)[number];

export const runTones: Record<RunState, Tone> = {
  waiting: 'warn',
  done: 'ok',
  failed: 'danger',
  held: 'off',
  dropped: 'off',
};

export function runWord(state: RunState, moduleType: ModuleTypeId): string {
  const { done, failed, held } = typeWords[moduleType];
  return { waiting: 'Waiting', done, failed, held, dropped: 'Dropped' }[state];
}

/** What caused a run: the name of its event, or the clock. */
export const runCause = ({ event, isTest }: ModuleRun): string =>
  event?.name ?? (isTest ? 'by hand' : 'clock');

/** When the event occurred, or when the schedule was due. */
export const runTime = ({ event, dueAt, createdAt }: ModuleRun): string => event?.ts ?? dueAt ?? createdAt;

/** The delay before each attempt of a webhook, as text; the first is immediate. */
export const retryWords = webhookAttemptsAfterS.map(seconds =>
  seconds === 0 ? 'now' : secondsText(seconds),
);

/** "1 delivery", "1,200 deliveries". */
export function countText(count: number, moduleType: ModuleTypeId): string {
  const { run, runs } = typeWords[moduleType];
  return count === 1 ? `1 ${run}` : `${numberText(count)} ${runs.toLowerCase()}`;
}

const keptMs = moduleHourDays * dayMs;

/** For a module without runs, as far back as they are counted. */
export const neverWords = (createdAt: string) =>
  Date.parse(createdAt) > serverNow() - keptMs ? 'not yet' : `not in ${moduleHourDays} days`;
