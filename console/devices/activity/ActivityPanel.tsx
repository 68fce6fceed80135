import { useState } from 'react';
import { liveState } from '#console/live.ts';
import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import lines from '#console/ui/logs/Lines.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { useUrlState } from '#console/urlState.ts';
import { ActivityLine } from './ActivityLine.tsx';
import css from './activity.module.css';
import { type Activity, type ActivityKind, useActivity } from './useActivity.ts';

const views = [
  { value: 'all', label: 'All' },
  { value: 'event', label: 'Events' },
  { value: 'command', label: 'Commands' },
  { value: 'log', label: 'Log' },
] as const;

const empty: Record<'all' | ActivityKind, string> = {
  all: 'Events, commands, and warnings and errors of the live log appear here as they happen.',
  event: 'Messages on events/… appear here. An event with _alert raises an alert.',
  command: 'Commands appear here with their current stage.',
  log: 'While this page is open, the device is asked for its live log. The log is not stored.',
};

/** What the device says and is told, as it happens. */
export function ActivityPanel({ deviceId }: { deviceId: string }) {
  const [{ show }, change] = useUrlState();
  const view = views.find(({ value }) => value === show)?.value ?? 'all';
  const activity = useActivity(deviceId, view === 'all' ? undefined : view);
  const isLive = useStore(liveState) === 'live';
  // What was on screen when it was paused.
  const [held, setHeld] = useState<readonly Activity[]>();
  const items = held ?? activity.items;
  const newer = held && activity.items ? Math.max(0, activity.items.length - held.length) : 0;
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
            {held ? `Resume${newer > 0 ? ` (${newer} new)` : ''}` : 'Pause'}
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

interface ActivityListProps {
  deviceId: string;
  items: readonly Activity[] | undefined;
  activity: ReturnType<typeof useActivity>;
  /** Whether older ones may be asked for. */
  mayGrow: boolean;
  emptyText: string;
}

function ActivityList({ deviceId, items, activity, mayGrow, emptyText }: ActivityListProps) {
  const { error, retry, older } = activity;
  if (!items && error) return <ErrorState what="The activity" error={error} onRetry={retry} />;
  if (!items) return <Skeleton shape="rows" lines={3} />;
  if (items.length === 0) return <EmptyState title="Nothing yet">{emptyText}</EmptyState>;
  return (
    <>
      <ol className={`${lines.mono} ${css.lines}`}>
        {items.map(one => (
          <ActivityLine key={one.id} deviceId={deviceId} activity={one} />
        ))}
      </ol>
      {older && mayGrow && (
        <div className={lines.older}>
          <Button busy={older.loading} onClick={older.load}>
            Older
          </Button>
        </div>
      )}
    </>
  );
}
