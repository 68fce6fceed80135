import { useRead } from '#console/core/api.ts';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { CallFailed } from '#contract/client.ts';
import { readConnectedHistory } from '#contract/fleet.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';

const quarterMs = 15 * minuteMs;
const askAgainMs = 5 * minuteMs;

export interface History {
  /** Undefined: not known yet. */
  points: readonly { at: number; value: number; low: number }[] | undefined;
  /** Why it could not be read. */
  error: CallFailed | null;
  from: number;
  to: number;
  /** How many were connected a day ago, where that is on record. */
  yesterday: number | undefined;
}

/** The connected devices of the last 24 hours. */
export function useConnectedHistory(projectId: string): History {
  const { data, error } = useRead(
    readConnectedHistory,
    { params: { projectId }, query: {} },
    { refetchInterval: askAgainMs },
  );
  const to = useNow();
  const from = to - dayMs;
  // A point is the state at the end of its quarter of an hour.
  const all = data?.points.map(({ at, connected, low }) => ({
    at: Math.min(Date.parse(at) + quarterMs, to),
    value: connected,
    low,
  }));
  const before = all?.findLast(({ at }) => at <= from + quarterMs && at > from - quarterMs);
  return { points: all?.filter(({ at }) => at >= from), error, from, to, yesterday: before?.value };
}
