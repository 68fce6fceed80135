import { useState } from 'react';
import { liveState } from '#console/core/live/live.ts';
import { serverDate } from '#console/core/serverClock.ts';
import { useStore } from '#console/core/store.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { logWindow } from '#console/ui/logs/logViews.ts';
import { isFiltered, isOpen, otherTime, questionOf, viewOf } from './auditQuestion.ts';
import { useLogCounts } from './counts/useLogCounts.ts';
import { type LogSource, useLogEntries } from './useLogEntries.ts';

export type LogView = ReturnType<typeof useLogView>;

/** What the address asks for: its lines, their counts, and whether new ones are added while nobody reads further down. */
export function useLogView(source: LogSource, hasTail: boolean, isPast: boolean) {
  const [url, change] = useUrlState();
  // The end of the period stays fixed while the page is open: a moving end would be a new query with every render.
  const [now] = useState(() => serverDate());
  const [follows, setFollows] = useState(true);
  const connected = useStore(liveState) === 'live';
  const question = questionOf(url, now);
  const filtered = isFiltered(url);
  const canTail = hasTail && isOpen(url);
  const recent = logWindow('recent', now).maxEntries;
  const only = viewOf(url) === 'recent' && !filtered ? recent : undefined;
  const log = useLogEntries(source, question, { tail: canTail, hold: !follows || isPast, only });
  const { data: counted } = useLogCounts(source, question, canTail && follows);
  const showAll = () => change({ view: otherTime.value, from: undefined, to: undefined, pages: undefined });
  function toggle() {
    if (!follows) log.newer.show();
    setFollows(!follows);
  }
  const mayBeMore = only !== undefined && (log.entries?.length ?? 0) >= only;
  return {
    url,
    change,
    question,
    filtered,
    log,
    counted,
    showAll,
    older: log.older ?? (mayBeMore ? { load: showAll, loading: false } : undefined),
    follow: canTail ? { on: follows, connected, toggle } : undefined,
  };
}
