import type { ReactNode } from 'react';
import { useUrlState } from '#console/core/urlState.ts';
import arrow from '#console/ui/Arrow.module.css';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import bar from '#console/ui/list/Toolbar.module.css';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import type { CallFailed } from '#contract/client.ts';
import type { LogEntry } from '#contract/log.ts';
import lines from './Lines.module.css';
import { LogLines } from './LogLines.tsx';
import css from './LogViewer.module.css';
import { logViews } from './logViews.ts';

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
  /** The controls of the search. */
  filters: ReactNode;
  /** Shown left of the actions on the entries on screen. */
  tools?: ReactNode;
  /** Views in addition to those of every log. */
  moreViews?: readonly { value: string; label: string }[];
  /** Below the controls: the levels to choose from. */
  levels?: ReactNode;
  /** In the frame, above the lines. */
  above?: ReactNode;
  /** One line below the lines. */
  below?: ReactNode;
}

const copiedMax = 10_000;

export function LogViewer(props: LogViewerProps) {
  const { label, entries, live, filters, tools, moreViews, levels, above, below } = props;
  return (
    <section className={css.viewer} aria-label={label}>
      <div className={bar.tools}>
        <ViewSelect more={moreViews ?? none} />
        {filters}
        <span className={css.right}>
          {tools}
          <Button
            variant="quiet"
            aria-label="Copy as JSON lines"
            title="Copies the lines on screen as JSON"
            onClick={() => void copyLines(entries ?? none)}
            disabled={!entries?.length}
          >
            Copy
          </Button>
          {live && (
            <Button aria-pressed={live.on} onClick={() => live.onChange(!live.on)}>
              <Dot tone={live.on && live.connected ? 'ok' : 'off'} />
              Follow
              {live.on && !live.connected && <span className="visuallyHidden">, connecting</span>}
            </Button>
          )}
        </span>
      </div>
      {levels}
      <div className={css.frame}>
        {above}
        <Content {...props} />
        {below && (
          <footer className={css.foot}>
            <span role="status">{below}</span>
            <Keys follow={live !== undefined} />
          </footer>
        )}
      </div>
    </section>
  );
}

function Keys({ follow }: { follow: boolean }) {
  const keys: [string[], string][] = [
    [['n', 'N'], 'next, previous'],
    [['Enter'], 'unfold'],
    [['l'], 'copy link'],
    ...(follow ? [[['f'], 'follow'] as [string[], string]] : []),
  ];
  return (
    <span className={css.keys}>
      {keys.map(([all, what]) => (
        <span key={what}>
          {all.map(key => (
            <kbd key={key}>{key}</kbd>
          ))}
          {what}
        </span>
      ))}
    </span>
  );
}

const none: readonly never[] = [];

function Content(props: LogViewerProps) {
  const { label, entries, error, onRetry, older, emptyText, emptyAction } = props;
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
  return (
    <>
      <LogLines entries={entries} />
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

async function copyLines(entries: readonly LogEntry[]): Promise<void> {
  const lines = entries.slice(0, copiedMax).map(entry => JSON.stringify(entry));
  const copied = await copy(lines.join('\n'));
  toast(
    copied
      ? `${lines.length} ${lines.length === 1 ? 'line' : 'lines'} copied`
      : 'Your browser did not allow copying',
  );
}
