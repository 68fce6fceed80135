import { Link } from '@tanstack/react-router';
import css from '#console/apps/keys/keys.module.css';
import { otherTime } from '#console/logs/auditQuestion.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { absoluteTime, momentText } from '#console/ui/time/dateTexts.ts';
import type { Key, KeyUse } from '#contract/key.ts';
import { numberText } from '#rules/text/numberText.ts';

type Refused = KeyUse['refused'];

interface RefusedPanelProps {
  keyRow: Key;
  refused: Refused;
}

/** The latest refused calls: a stolen key or a misconfigured back end shows up here first. */
export function RefusedPanel({ keyRow, refused: { count, latest } }: RefusedPanelProps) {
  const log = <KeyLog keyRow={keyRow} />;
  if (count === 0)
    return (
      <LinePanel title="Refused" action={log}>
        No calls with this key were refused in the last 30 days.
      </LinePanel>
    );
  const isPart = latest.length < count;
  return (
    <Panel
      title="Refused"
      note={`${numberText(count)} in 30 days${isPart ? `, the latest ${latest.length} shown` : ''}`}
      flush
      action={log}
    >
      <div className={css.refused}>
        <Table
          label="Refused"
          columns={columns}
          rows={latest}
          rowKey={({ ts, method, path, address }) => [ts, method, path, address].join(' ')}
        />
      </div>
    </Panel>
  );
}

/** All calls of the key, allowed and refused. */
function KeyLog({ keyRow: { id, projectId } }: Pick<RefusedPanelProps, 'keyRow'>) {
  return (
    <Link
      to="/projects/$projectId/settings/http_logs"
      params={{ projectId }}
      search={{ view: otherTime.value, who: id } as never}
      className={buttonClass('quiet')}
    >
      HTTP log
    </Link>
  );
}

const columns: readonly Column<Refused['latest'][number]>[] = [
  {
    id: 'time',
    head: 'Time',
    width: '18%',
    cell: ({ ts }) => (
      <time dateTime={ts} title={absoluteTime(ts)} className={css.time}>
        {momentText(ts)}
      </time>
    ),
  },
  {
    id: 'call',
    head: 'Call',
    cell: ({ method, path, reason }) => (
      <code className={css.small}>
        {method} {path}
        {/* Replaces its column where there is no room for that. */}
        <span className={css.narrowReason}>{reason}</span>
      </code>
    ),
  },
  {
    id: 'reason',
    head: 'Reason',
    width: '27%',
    cell: ({ reason }) => <code className={css.small}>{reason}</code>,
  },
  {
    id: 'from',
    head: 'From',
    width: '18%',
    cell: ({ address }) => <code className={css.small}>{address}</code>,
  },
];
