import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { serverNow } from '#console/core/serverClock.ts';
import type { AuditQuestion } from '#console/logs/auditQuestion.ts';
import type { LogSource } from '#console/logs/useLogEntries.ts';
import type { CallFailed } from '#contract/client.ts';
import type { LogCounts } from '#contract/logCounts.ts';
import { minuteMs } from '#rules/time/durations.ts';

/** Counts, and the range they are of. */
export interface CountedRange {
  counts: LogCounts;
  begin: number;
  end: number;
}

const partsOfRange = 96;
const followedMs = minuteMs / 4;

/** How many entries there are, when, and of which level. While new ones appear, they are counted again. */
export function useLogCounts(source: LogSource, question: AuditQuestion, isFollowed: boolean) {
  return useQuery<CountedRange, CallFailed>({
    queryKey: ['log', source.key, 'counts', question],
    queryFn: async ({ signal }) => {
      const range = countedRange(question);
      const [begin, end] = [new Date(range.begin).toISOString(), new Date(range.end).toISOString()];
      const counts = await source.count({ query: { ...question, begin, end, parts: partsOfRange }, signal });
      return { counts, ...range };
    },
    placeholderData: keepPreviousData,
    refetchInterval: isFollowed ? followedMs : false,
  });
}

/** A range that ends in the future is counted to the next minute, so that the chart ends now. */
function countedRange({ begin, end }: AuditQuestion): { begin: number; end: number } {
  const soon = Math.ceil((serverNow() + minuteMs) / minuteMs) * minuteMs;
  const from = Date.parse(begin);
  return { begin: from, end: Math.max(from + 1, Math.min(Date.parse(end), soon)) };
}
