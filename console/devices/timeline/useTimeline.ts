import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#console/core/client.ts';
import { type CallFailed, pathOf } from '#contract/client.ts';
import { readTimeline, type Timeline, type TimelineKind } from '#contract/timeline.ts';

const pageSize = 100;

/** What happened to a device, page by page. Keyed by path like every read, so that a gap in the live stream renews it. */
export function useTimeline(
  deviceId: string,
  range: { begin: string; end: string } | undefined,
  kinds: readonly TimelineKind[],
) {
  const params = { deviceId };
  const asked = { ...(range ?? { begin: '', end: '' }), ...(kinds.length > 0 && { kinds: [...kinds] }) };
  const queryKey = [pathOf(readTimeline, params), { pages: true, ...asked }];
  return useInfiniteQuery<Timeline, CallFailed, { pages: Timeline[] }, typeof queryKey, string | undefined>({
    queryKey,
    queryFn: ({ pageParam: after, signal }) => {
      const query = { ...asked, maxEntries: pageSize, ...(after && { after }) };
      return call(readTimeline, { params, query, signal });
    },
    enabled: range !== undefined,
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
  });
}
