import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverNow } from '#console/core/serverClock.ts';
import { Button } from '#console/ui/Button.tsx';
import { LogLines } from '#console/ui/logs/LogLines.tsx';
import viewer from '#console/ui/logs/LogViewer.module.css';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import type { CallFailed } from '#contract/client.ts';
import type { LogEntry } from '#contract/log.ts';
import { dayMs } from '#rules/time/durations.ts';
import css from './logs.module.css';
import type { LogSource } from './useLogEntries.ts';

interface NearLinesProps {
  source: LogSource;
  line: string;
  onClose: () => void;
}

/** Three before and three after the line. */
const nearest = 7;
const more = 40;
const linesMax = 999;
/** Longer than any entry is kept. */
const keptDays = 399;

/** The line that the address names, in the middle of what was written around it, whatever is searched for. */
export function NearLines({ source, line, onClose }: NearLinesProps) {
  const [wanted, setWanted] = useState(nearest);
  const read = useQuery<LogEntry[], CallFailed>({
    queryKey: ['log', source.key, 'near', line, wanted],
    queryFn: ({ signal }) => {
      const end = serverNow() + dayMs / 2;
      const begin = new Date(end - keptDays * dayMs).toISOString();
      const query = { begin, end: new Date(end).toISOString(), near: line, maxEntries: wanted };
      return source.read({ query, signal });
    },
    placeholderData: before => before,
  });
  const at = read.data?.find(({ id }) => id === line)?.ts;
  return (
    <section className={viewer.frame} aria-label="Lines around it">
      <header className={css.near}>
        <span>{at ? `Around the line of ${absoluteTime(at)}` : 'Around the line of the link'}</span>
        <span className={css.nearTools}>
          {wanted < linesMax && (read.data?.length ?? 0) >= 2 && (
            <Button busy={read.isFetching} onClick={() => setWanted(Math.min(linesMax, wanted + more))}>
              20 more on each side
            </Button>
          )}
          <Button onClick={onClose}>Back to the log</Button>
        </span>
      </header>
      {read.error && !read.data && (
        <ErrorState what="The line" error={read.error} onRetry={() => void read.refetch()} />
      )}
      {!read.data && !read.error && <Skeleton shape="lines" lines={nearest} />}
      {read.data && at === undefined && (
        <EmptyState title="The line is no longer there">
          Entries are deleted after the time for which this log keeps them.
        </EmptyState>
      )}
      {read.data && <LogLines entries={read.data} isWhole />}
    </section>
  );
}
