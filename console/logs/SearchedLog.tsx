import { type ReactNode, useState } from 'react';
import { liveState } from '#console/core/live/live.ts';
import { serverDate } from '#console/core/serverClock.ts';
import { useStore } from '#console/core/store.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { LogViewer } from '#console/ui/logs/LogViewer.tsx';
import { LogNarrowing } from '#console/ui/logs/logNarrowing.ts';
import { logWindow } from '#console/ui/logs/logViews.ts';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { type AuditQuestion, isFiltered, isOpen, otherTime, questionOf, viewOf } from './auditQuestion.ts';
import { LogFilters, type LogWords } from './LogFilters.tsx';
import css from './logs.module.css';
import { type LogSource, useLogEntries } from './useLogEntries.ts';

interface SearchedLogProps {
  label: string;
  source: LogSource;
  /** The project whose team is among the actors to choose from. */
  teamOf?: string;
  /** True: new entries appear by themselves. */
  hasTail: boolean;
  /** The texts for an empty log, and for a search by action without results. */
  texts: { empty: string; action: string };
  words?: LogWords;
  tools?: (question: AuditQuestion) => ReactNode;
}

/** A log of a project; its filters are in the address. */
export function SearchedLog({ label, source, teamOf, hasTail, texts, words, tools }: SearchedLogProps) {
  const [url, change] = useUrlState();
  // The end of the period stays fixed while the page is open: a moving end would be a new query with every render.
  const [now] = useState(() => serverDate());
  const [wantsTail, setWantsTail] = useState(true);
  const connected = useStore(liveState) === 'live';
  const question = questionOf(url, now);
  const filtered = isFiltered(url);
  const isRecent = viewOf(url) === 'recent';
  const canTail = hasTail && isOpen(url);
  const log = useLogEntries(source, question, {
    tail: canTail && wantsTail,
    only: isRecent && !filtered ? logWindow('recent', now).maxEntries : undefined,
  });
  const showAll = () => change({ view: otherTime.value, from: undefined, to: undefined, pages: undefined });
  const recentFull =
    isRecent && !filtered && (log.entries?.length ?? 0) >= logWindow('recent', now).maxEntries;
  function emptyAction() {
    if (log.searchedTo && log.older)
      return (
        <Button busy={log.older.loading} onClick={log.older.load}>
          Search further back
        </Button>
      );
    if (!filtered || viewOf(url) === otherTime.value) return undefined;
    return <Button onClick={showAll}>Search entire log</Button>;
  }
  return (
    <LogNarrowing value={by => change({ ...by, view: otherTime.value, pages: undefined })}>
      {tools?.(question)}
      <LogViewer
        label={label}
        entries={log.entries}
        error={log.error}
        onRetry={log.retry}
        older={log.older ?? (recentFull ? { load: showAll, loading: false } : undefined)}
        live={canTail ? { on: wantsTail, connected, onChange: setWantsTail } : undefined}
        moreViews={[otherTime]}
        filters={<LogFilters teamOf={teamOf} entries={log.entries ?? []} {...(words && { words })} />}
        tools={
          !hasTail && (
            <Button variant="quiet" onClick={log.retry}>
              Refresh
            </Button>
          )
        }
        emptyText={(filtered ? noMatches(log.searchedTo) : texts.empty) + (url.action ? texts.action : '')}
        emptyAction={emptyAction()}
      />
      {log.searchedTo && (
        <p className={css.searchedTo} role="status">
          Searched back to {absoluteTime(log.searchedTo)}. Searches with four letters or more are faster; use
          the button above to continue.
        </p>
      )}
    </LogNarrowing>
  );
}

function noMatches(searchedTo: string | undefined): string {
  return searchedTo ? `No matches since ${absoluteTime(searchedTo)}.` : 'No matches in this period.';
}
