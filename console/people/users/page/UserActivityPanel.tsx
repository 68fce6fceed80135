import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useLiveEntries } from '#console/core/live/live.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type LogEntry, readLogEntries } from '#contract/log.ts';
import type { User } from '#contract/user.ts';
import { dayMs } from '#rules/time/durations.ts';
import css from './userPage.module.css';

const shownMax = 10;
const windowMs = 30 * dayMs;

/** What the user did, according to the audit log; new entries appear by themselves. */
export function UserActivityPanel({ user: { id: userId, projectId } }: { user: User }) {
  // The period stays fixed while the screen is open: a moving one would be a new read each time.
  const [range] = useState(() => {
    const now = serverNow();
    return { begin: new Date(now - windowMs).toISOString(), end: new Date(now + windowMs).toISOString() };
  });
  const query = { ...range, actor: userId, maxEntries: shownMax };
  const read = useRead(readLogEntries, { params: { projectId }, query });
  const { data } = read;
  useLiveEntries(({ actor }) => {
    if (actor.id === userId) void read.refetch();
  });
  return (
    <Panel
      title="Activity"
      note="last 30 days"
      flush={data !== undefined && data.length > 0}
      action={logs.map(({ label, to }) => (
        <Link
          key={to}
          className={css.more}
          to={to}
          params={{ projectId }}
          search={{ who: userId, view: 'other' } as never}
        >
          {label}
        </Link>
      ))}
    >
      <ReadState read={read} what="The activity" skeleton={<Skeleton shape="rows" lines={4} unsized />} />
      {data?.length === 0 && <p className={css.quiet}>Nothing in the last 30 days.</p>}
      {data && data.length > 0 && (
        <Table label="Activity" columns={columns} rows={data} rowKey={({ id }) => id} />
      )}
    </Panel>
  );
}

const logs = [
  { label: 'HTTP log', to: '/projects/$projectId/settings/http_logs' },
  { label: 'Audit log', to: '/projects/$projectId/settings/audit_logs' },
] as const;

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const columns: readonly Column<LogEntry>[] = [
  {
    id: 'when',
    head: 'When',
    width: '16%',
    cell: ({ ts }) => (
      <span className={css.quiet}>
        <TimeAgo time={ts} />
      </span>
    ),
  },
  { id: 'what', head: 'What', cell: ({ text }) => <span className={css.text}>{text}</span> },
  {
    id: 'app',
    head: 'App',
    width: '18%',
    hasValue: ({ detail }) => textOf(detail?.app) !== undefined,
    cell: ({ detail }) => textOf(detail?.app) ?? '–',
  },
  {
    id: 'from',
    head: 'From',
    isWide: true,
    width: '18%',
    hasValue: ({ detail }) => textOf(detail?.address) !== undefined,
    cell: ({ detail }) => <code className={css.address}>{textOf(detail?.address) ?? '–'}</code>,
  },
];
