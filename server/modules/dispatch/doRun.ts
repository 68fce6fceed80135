import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt } from '#contract/moduleRun.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { EndedAttempt } from '#server/modules/runs/endRuns.ts';
import type { ModuleType, Outcome, Running } from '#server/modules/smartModules/moduleType.ts';

/** After this time an attempt counts as failed, whatever it still does. */
const attemptMaxMs = 30_000;
const bodyMax = 16 * 1024;
const summaryMax = 300;
/** Limit for the number of headers and of actions. */
const partsMax = 100;

export interface Tried {
  attempt: Attempt;
  outcome: Outcome;
}

/** Executes one run within a time limit. Never throws: an error is a failed attempt. */
export async function tryRun(
  platform: Platform,
  type: ModuleType,
  running: Omit<Running, 'now' | 'signal'>,
  stop: AbortSignal,
): Promise<Tried> {
  const now = platform.clock();
  const ended = new AbortController();
  const signal = AbortSignal.any([stop, ended.signal]);
  return timed(platform, now, async () => {
    try {
      return await Promise.race([
        type.run({ ...running, now, signal }, platform),
        untilTooLong(signal, attemptMaxMs),
      ]);
    } finally {
      ended.abort();
    }
  });
}

/** Runs some work and returns its outcome as an attempt. */
export async function timed(
  { log }: Pick<Platform, 'log'>,
  at: Date,
  work: () => Promise<Outcome>,
): Promise<Tried> {
  const beganMs = performance.now();
  const outcome = await work().catch((error: unknown): Outcome => {
    // Expected errors are part of a type's outcome: this one is an internal or database error.
    if (!(error instanceof TooLong)) log('warn', 'A smart module failed', { error: String(error) });
    return { isOk: false, summary: error instanceof TooLong ? error.message : 'An internal error occurred' };
  });
  const ms = Math.round(performance.now() - beganMs);
  return { outcome, attempt: toAttempt(outcome, at, ms) };
}

class TooLong extends Error {}

async function untilTooLong(signal: AbortSignal, ms: number): Promise<never> {
  // An abort ends the wait as well: then the result is no longer needed, or the server is stopping.
  await pause(ms, undefined, { signal }).catch(() => undefined);
  throw new TooLong(signal.aborted ? 'Interrupted' : `No answer within ${ms / 1000} seconds`);
}

function toAttempt(outcome: Outcome, at: Date, ms: number): Attempt {
  const { isOk, summary, sent, answered, actions } = outcome;
  return {
    at: at.toISOString(),
    ms,
    isOk,
    summary: cut(summary, summaryMax),
    ...(sent && { sent: { ...sent, headers: bounded(sent.headers), body: cut(sent.body, bodyMax) } }),
    ...(answered && {
      answered: { ...answered, headers: bounded(answered.headers), body: cut(answered.body, bodyMax) },
    }),
    ...(actions && {
      actions: actions
        .slice(0, partsMax)
        .map(action => ({ ...action, summary: cut(action.summary, summaryMax) })),
    }),
  };
}

/** PostgreSQL cannot store NUL, or half a surrogate pair in JSON. */
const cut = (text: string, max: number) => text.slice(0, max).toWellFormed().replaceAll('\u0000', '�');

function bounded(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, partsMax)
      .map(([name, value]) => [cut(name, summaryMax), cut(value, bodyMax / 8)]),
  );
}

/** Decides whether a run ends with this attempt or is retried. `attempts` is the number of attempts before this one. */
export function endOf(
  { attempt, outcome }: Tried,
  { attempts, type, now }: { attempts: number; type: ModuleType; now: Date },
): Pick<EndedAttempt, 'state' | 'nextAt' | 'dueAt' | 'attempt' | 'summary'> {
  const { summary } = attempt;
  const { putOffUntil } = outcome;
  if (putOffUntil)
    return { state: 'waiting', nextAt: putOffUntil, dueAt: putOffUntil, attempt: undefined, summary };
  if (outcome.isHeld) return { state: 'held', nextAt: null, attempt: undefined, summary };
  if (outcome.isOk) return { state: 'done', nextAt: null, attempt, summary };
  const waitS = type.attemptsAfterS[attempts + 1];
  if (outcome.isFinal || waitS === undefined) return { state: 'failed', nextAt: null, attempt, summary };
  const s = Math.max(waitS, outcome.retryAfterS ?? 0);
  return { state: 'waiting', nextAt: new Date(now.getTime() + s * 1000), attempt, summary };
}
