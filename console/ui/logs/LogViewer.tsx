import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useUrlState } from '#console/core/urlState.ts';
import arrow from '#console/ui/Arrow.module.css';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import bar from '#console/ui/list/Toolbar.module.css';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import type { CallFailed } from '#contract/client.ts';
import { callerTypes, type LogEntry } from '#contract/log.ts';
import lines from './Lines.module.css';
import { LogLines } from './LogLines.tsx';
import css from './LogViewer.module.css';
import { levelChips } from './levelChips.ts';
import { logViews } from './logViews.ts';
import { type LogFilter, useLogFilter } from './useLogFilter.ts';
import { useOlderUntilFull } from './useOlderUntilFull.ts';

interface LogViewerProps {
  /** "Audit log" */
  label: string;
  /** Newest first; undefined while the first ones are loading. Request them with `logWindow`. */
  entries: readonly LogEntry[] | undefined;
  error?: CallFailed | null;
  onRetry?: () => void;
  /** Loads the page before the oldest entry; absent when there is none. */
  older?: { load: () => void; loading: boolean } | undefined;
  /** The tail: new entries appear by themselves. Absent if there is nothing to follow. */
  live?: { on: boolean; connected: boolean; onChange: (on: boolean) => void } | undefined;
  /** One sentence on what would be here. */
  emptyText: string;
  /** What can be done about an empty log. */
  emptyAction?: ReactNode;
  /** If the server filters: its controls, which replace those that filter the loaded entries. */
  filters?: ReactNode;
  /** Shown left of the actions on the entries on screen. */
  tools?: ReactNode;
  /** Views in addition to those of every log. */
  moreViews?: readonly { value: string; label: string }[];
}

const copiedMax = 10_000;

export function LogViewer(props: LogViewerProps) {
  const { label, entries, older, live, filters, tools, moreViews } = props;
  const filter = useLogFilter(entries ?? none);
  const shown = filters ? (entries ?? none) : filter.shown;
  const isFiltered = !filters && filter.narrowed && entries !== undefined;
  useOlderUntilFull({ question: isFiltered ? filter.question : undefined, shown: shown.length, older });
  return (
    <section className={css.viewer} aria-label={label}>
      <div className={bar.tools}>
        <ViewSelect more={moreViews ?? none} />
        {filters ?? <FilterText filter={filter} />}
        <span className={css.right}>
          {tools}
          <Button
            variant="quiet"
            aria-label="Copy as JSON lines"
            title="Copies the lines on screen as JSON"
            onClick={() => void copyLines(shown)}
            disabled={shown.length === 0}
          >
            Copy
          </Button>
          {live && (
            <Button aria-pressed={live.on} onClick={() => live.onChange(!live.on)}>
              <Dot tone={live.on && live.connected ? 'ok' : 'off'} />
              Live
              {live.on && !live.connected && <span className="visuallyHidden">, connecting</span>}
            </Button>
          )}
        </span>
      </div>
      {!filters && (
        <div className={bar.tools}>
          <Chips label="Levels" chips={levelChips} chosen={filter.levels} onChange={filter.setLevels} />
          <ActorChips entries={entries ?? none} filter={filter} />
        </div>
      )}
      <div className={css.frame}>
        <Content {...props} shown={shown} clear={filter.clear} />
      </div>
    </section>
  );
}

const none: readonly never[] = [];

interface ContentProps
  extends Pick<
    LogViewerProps,
    'label' | 'entries' | 'error' | 'onRetry' | 'older' | 'emptyText' | 'emptyAction'
  > {
  shown: readonly LogEntry[];
  clear: () => void;
}

function Content(props: ContentProps) {
  const { label, entries, error, onRetry, older, emptyText, emptyAction, shown, clear } = props;
  if (!entries && error)
    return (
      <ErrorState
        what={`The ${label.replace(/^[A-Z](?=[a-z])/, first => first.toLowerCase())}`}
        error={error}
        onRetry={onRetry}
      />
    );
  if (!entries) return <Skeleton shape="lines" lines={8} />;
  if (entries.length === 0)
    return (
      <EmptyState title="No entries" action={emptyAction}>
        {emptyText}
      </EmptyState>
    );
  if (shown.length === 0 && older?.loading) return <Skeleton shape="lines" lines={8} />;
  if (shown.length === 0)
    return (
      <EmptyState
        title="No matching entries"
        action={
          <>
            <Button onClick={clear}>Clear filter</Button>
            {older && <Button onClick={older.load}>Older entries</Button>}
          </>
        }
      >
        Filters apply to the {entries.length} entries loaded so far.
      </EmptyState>
    );
  return (
    <>
      <LogLines entries={shown} />
      {older && (
        <div className={lines.older}>
          <Button busy={older.loading} onClick={older.load}>
            Older entries
          </Button>
        </div>
      )}
    </>
  );
}

function ViewSelect({ more }: { more: readonly { value: string; label: string }[] }) {
  const [url, change] = useUrlState();
  const views = [...logViews, ...more];
  return (
    <select
      className={`${bar.control} ${arrow.arrow}`}
      aria-label="View"
      value={views.find(({ value }) => value === url.view)?.value ?? 'recent'}
      onChange={({ target }) =>
        change({ view: target.value === 'recent' ? undefined : target.value, pages: undefined })
      }
    >
      {views.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Filters only the loaded entries, so it applies at once. */
function FilterText({ filter }: { filter: LogFilter }) {
  const [typed, setTyped] = useState(filter.text);
  const field = useRef<HTMLInputElement>(null);
  useActions([{ label: 'Filter these entries', keys: '/', run: () => field.current?.select() }]);
  // After "Clear filter" or Back.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(filter.text);
  }, [filter.text]);
  function filterBy(text: string) {
    setTyped(text);
    filter.setText(text);
  }
  return (
    <input
      ref={field}
      className={`${bar.control} ${css.text}`}
      aria-label="Filter these entries"
      placeholder="Filter…"
      value={typed}
      onChange={event => filterBy(event.target.value)}
      onKeyDown={event => event.key === 'Escape' && filterBy('')}
    />
  );
}

/** Only the kinds of actors that occur. */
function ActorChips({ entries, filter }: { entries: readonly LogEntry[]; filter: LogFilter }) {
  const present = new Set(entries.map(({ actor }) => actor.callerType));
  const kinds = callerTypes.filter(kind => present.has(kind) || filter.actors.includes(kind));
  if (kinds.length < 2 && filter.actors.length === 0) return null;
  return (
    <Chips
      label="Actors"
      chips={kinds.map(kind => ({ value: kind, label: kind }))}
      chosen={filter.actors}
      onChange={filter.setActors}
    />
  );
}

async function copyLines(entries: readonly LogEntry[]): Promise<void> {
  const lines = entries.slice(0, copiedMax).map(entry => JSON.stringify(entry));
  const copied = await copy(lines.join('\n'));
  toast(
    copied
      ? `${lines.length} ${lines.length === 1 ? 'line' : 'lines'} copied`
      : 'Your browser did not allow copying',
  );
}
