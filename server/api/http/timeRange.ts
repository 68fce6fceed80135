import { Problem } from '#contract/problem.ts';
import { dayMs } from '#rules/time/durations.ts';

/** Validates a requested time range and its maximum length. */
export function timeRange(
  asked: { begin: string; end: string },
  daysMax: number,
): { begin: Date; end: Date } {
  const [begin, end] = [new Date(asked.begin), new Date(asked.end)];
  const ms = end.getTime() - begin.getTime();
  if (ms > 0 && ms <= daysMax * dayMs) return { begin, end };
  throw new Problem('INVALID_RANGE', {
    message: `The start must be before the end, and at most ${daysMax} days earlier.`,
  });
}
