import { Fragment, useCallback, useRef, useState } from 'react';
import { liveState } from '#console/core/live/live.ts';
import { useStore } from '#console/core/store.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import lines from '#console/ui/logs/Lines.module.css';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { ActivityLine } from './ActivityLine.tsx';
import css from './activity.module.css';
import { Day } from './Day.tsx';
import { type Activity, type ActivityKind, useActivity } from './useActivity.ts';

const views = [
  { value: 'all', label: 'All' },
  { value: 'event', label: 'Events' },
  { value: 'command', label: 'Commands' },
  { value: 'desired', label: 'Desired' },
  { value: 'log', label: 'Log' },
] as const;

const empty: Record<'all' | ActivityKind, string> = {
  all: 'Nothing yet. Events, commands, desired values and warnings from the live log appear here.',
  event: 'Messages on events/… appear here. An event with _alert raises an alert.',
  command: 'Commands appear here with their current stage.',
  desired: 'Changes to the desired state appear here with their current stage.',
  log: 'While this page is open, the device is asked for its live log. The log is not stored.',
};

/** What the device sends and receives, as it happens. */
export function ActivityPanel({ deviceId }: { deviceId: string }) {
  const [{ show }, change] = useUrlState();
  const view = views.find(({ value }) => value === show)?.value ?? 'all';
  const activity = useActivity(deviceId, view === 'all' ? undefined : view);
  const isLive = useStore(liveState) === 'live';
  // The items on screen when the list was paused.
  const [held, setHeld] = useState<readonly Activity[]>();
  const items = held ?? activity.items;
  const newer = held && activity.items ? newerText(activity.items, held) : '';
  if (view === 'all' && items?.length === 0) return <LinePanel title="Activity">{empty.all}</LinePanel>;
  return (
    <Panel
      title="Activity"
      flush
      note={
        <StatePill
          shape="plain"
          tone={held || !isLive ? 'off' : 'ok'}
          word={held ? 'paused' : isLive ? 'live' : 'not live'}
        />
      }
      action={
        <>
          <Segments
            label="Filter activity"
            options={views}
            chosen={view}
            onChange={value => {
              setHeld(undefined);
              change({ show: value === 'all' ? undefined : value }, { replace: true });
            }}
          />
          <Button variant="quiet" onClick={() => setHeld(held ? undefined : activity.items)}>
            {held ? `Resume${newer}` : 'Pause'}
          </Button>
        </>
      }
    >
      <ActivityList
        deviceId={deviceId}
        items={items}
        activity={activity}
        mayGrow={!held}
        emptyText={empty[view]}
      />
    </Panel>
  );
}

/** " (3 new)"; the number has an end, as the list has one. */
function newerText(items: readonly Activity[], [newest]: readonly Activity[]): string {
  const at = newest ? items.findIndex(({ id }) => id === newest.id) : items.length;
  if (at === 0 || items.length === 0) return '';
  return at === -1 ? ` (more than ${items.length} new)` : ` (${at} new)`;
}

interface ActivityListProps {
  deviceId: string;
  items: readonly Activity[] | undefined;
  activity: ReturnType<typeof useActivity>;
  /** Whether older items may be loaded. */
  mayGrow: boolean;
  emptyText: string;
}

function ActivityList({ deviceId, items, activity, mayGrow, emptyText }: ActivityListProps) {
  const { error, retry, older } = activity;
  const end = useSeen(older && mayGrow && older.byItself && !older.loading ? older.load : undefined);
  if (!items && error) return <ErrorState what="The activity" error={error} onRetry={retry} />;
  return (
    <section
      className={css.scroller}
      aria-label="Activity, newest first"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
      tabIndex={0}
      data-loading={!items || undefined}
    >
      {!items && <Skeleton shape="rows" lines={6} />}
      {items?.length === 0 && <p className={css.none}>{emptyText}</p>}
      <ol className={lines.mono}>
        {items?.map((one, at) => (
          <Fragment key={one.id}>
            <Day ts={one.ts} before={items[at - 1]?.ts} />
            <ActivityLine deviceId={deviceId} activity={one} />
          </Fragment>
        ))}
      </ol>
      {older && mayGrow && (
        <div className={lines.older} ref={end}>
          <Button busy={older.loading} onClick={older.load}>
            Older
          </Button>
        </div>
      )}
    </section>
  );
}

/** Calls `onSeen` when the element comes into view, so that scrolling down loads older items without a press. */
function useSeen(onSeen: (() => void) | undefined) {
  const latest = useRef(onSeen);
  latest.current = onSeen;
  return useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) latest.current?.();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}
