import { type ReactNode, useRef } from 'react';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import bar from '#console/ui/list/Toolbar.module.css';
import { LogViewer } from '#console/ui/logs/LogViewer.tsx';
import { LogNarrowing } from '#console/ui/logs/logNarrowing.ts';
import { SoughtLines } from '#console/ui/logs/soughtLines.ts';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { numberText } from '#rules/text/numberText.ts';
import { type AuditQuestion, isOpen, otherTime, viewOf } from './auditQuestion.ts';
import { LogHistogram } from './counts/LogHistogram.tsx';
import type { CountedRange } from './counts/useLogCounts.ts';
import { LevelCounts } from './LevelCounts.tsx';
import { LogFilters } from './LogFilters.tsx';
import css from './logs.module.css';
import { type LogWords, usualWords } from './logWords.ts';
import { NearLines } from './NearLines.tsx';
import { noMatchesText, summaryText } from './searchTexts.ts';
import { useIsPast } from './useIsPast.ts';
import { useLineKeys } from './useLineKeys.ts';
import type { LogSource } from './useLogEntries.ts';
import { type LogView, useLogView } from './useLogView.ts';

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

const linkTo = (line: string) => {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}?line=${line}`;
};

/** A log; what is searched for, when, and the line of a link are in the address. */
export function SearchedLog(props: SearchedLogProps) {
  const { source } = props;
  const [url, change] = useUrlState();
  const { line, text } = url;
  const sought = { text, line, linkTo, showAround: (id: string) => change({ line: id }) };
  return (
    <SoughtLines value={sought}>
      {line ? (
        <NearLines key={line} source={source} line={line} onClose={() => change({ line: undefined })} />
      ) : (
        <WholeLog {...props} />
      )}
    </SoughtLines>
  );
}

function WholeLog({ label, source, teamOf, hasTail, texts, words = usualWords, tools }: SearchedLogProps) {
  const whole = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const view = useLogView(source, hasTail, useIsPast(top));
  const { url, change, question, filtered, log, counted, follow } = view;
  const copyLink = (id: string) =>
    void copy(linkTo(id)).then(copied => copied && toast('Link to the line copied'));
  useLineKeys(whole, { copyLink, follow: follow?.toggle });
  const showNewer = () => {
    log.newer.show();
    whole.current?.scrollIntoView({ block: 'start' });
  };
  const refresh = (
    <Button variant="quiet" onClick={log.retry}>
      Refresh
    </Button>
  );
  return (
    <LogNarrowing value={by => change({ ...by, view: otherTime.value, pages: undefined })}>
      <div ref={whole} className={css.whole}>
        <div ref={top} />
        <LogViewer
          label={label}
          entries={log.entries}
          error={log.error}
          onRetry={log.retry}
          older={view.older}
          live={follow && { on: follow.on, connected: follow.connected, onChange: follow.toggle }}
          moreViews={[otherTime]}
          filters={<LogFilters {...{ teamOf, words }} entries={log.entries ?? []} />}
          tools={!hasTail && refresh}
          emptyText={
            (filtered ? noMatchesText(url.text, log.searchedTo) : texts.empty) +
            (url.action ? texts.action : '')
          }
          emptyAction={<Wider view={view} />}
          levels={
            <div className={bar.tools}>
              <LevelCounts counts={counted?.counts} words={words} />
              <span className={css.tools}>{tools?.(question)}</span>
            </div>
          }
          above={counted && <Histogram view={view} range={counted} words={words} />}
          below={counted && summaryText(counted.counts, filtered)}
        />
        {log.newer.count > 0 && (
          <button type="button" className={css.newer} onClick={showNewer}>
            ↑ {numberText(log.newer.count)} newer {log.newer.count === 1 ? 'line' : 'lines'}
          </button>
        )}
      </div>
      {log.searchedTo && (
        <p className={css.searchedTo} role="status">
          Searched back to {absoluteTime(log.searchedTo)}. Searches with four letters or more are faster; use
          the button above to continue.
        </p>
      )}
    </LogNarrowing>
  );
}

/** What to do if nothing was found. */
function Wider({ view: { url, filtered, log, showAll } }: { view: LogView }) {
  if (log.searchedTo && log.older)
    return (
      <Button busy={log.older.loading} onClick={log.older.load}>
        Search further back
      </Button>
    );
  if (!filtered || viewOf(url) === otherTime.value) return null;
  return <Button onClick={showAll}>Search entire log</Button>;
}

interface HistogramProps {
  view: LogView;
  range: CountedRange;
  words: LogWords;
}

function Histogram({ view: { url, change, log }, range, words }: HistogramProps) {
  const [newest, oldest] = [log.entries?.[0], log.entries?.at(-1)];
  const narrowTo = (from: number, to: number) => {
    const [begin, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
    change({ view: otherTime.value, from: begin, to: end, pages: undefined });
  };
  return (
    <LogHistogram
      range={range}
      words={words}
      seen={newest && oldest && { from: Date.parse(oldest.ts), to: Date.parse(newest.ts) }}
      endsNow={isOpen(url)}
      onNarrow={narrowTo}
    />
  );
}
