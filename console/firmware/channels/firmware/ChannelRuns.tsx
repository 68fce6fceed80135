import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { BundleLink } from '#console/firmware/BundleLink.tsx';
import { Button } from '#console/ui/Button.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { LinePanel } from '#console/ui/screen/LinePanel.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { dayText } from '#console/ui/time/dateTexts.ts';
import { durationText, LastsSince } from '#console/ui/time/TimeAgo.tsx';
import type { Channel } from '#contract/channel.ts';
import { type ChannelRun, listChannelRuns } from '#contract/channelFirmware.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './channelBand.module.css';
import { contentsText } from './contentsText.ts';

const shownAtFirst = 5;
/** As many as are kept. */
const shownMax = 200;

/** The bundles that the channel pointed at and the rollouts that ended before, with their failures; newest first. */
export function ChannelRuns({ channel: { projectId, id: channelId } }: { channel: Channel }) {
  const [limit, setLimit] = useState(shownAtFirst);
  const read = useRead(listChannelRuns, { params: { channelId }, query: { limit } });
  const { items = [], total = 0 } = read.data ?? {};
  if (read.data && total === 0)
    return (
      <LinePanel title="What this channel ran">
        Nothing yet. Each bundle and rollout is listed here.
      </LinePanel>
    );
  return (
    <Panel
      title="What this channel ran"
      flush
      action={
        total > items.length &&
        limit < shownMax && (
          <Button variant="quiet" onClick={() => setLimit(shownMax)}>
            Show all {numberText(total)}
          </Button>
        )
      }
    >
      <ReadState
        read={read}
        what="What this channel ran"
        skeleton={<Skeleton shape="rows" lines={3} unsized />}
        refetchError
      />
      {items.length > 0 && (
        <Table
          label="What this channel ran"
          columns={columnsOf(projectId, channelId)}
          rows={items}
          rowKey={({ at, rollout, bundle }) => `${at} ${rollout?.id ?? bundle?.id}`}
        />
      )}
    </Panel>
  );
}

const columnsOf = (projectId: string, channelId: string): readonly Column<ChannelRun>[] => [
  {
    id: 'bundle',
    head: 'Bundle',
    cell: ({ bundle, contents, rollout }) => (
      <TwoLines
        strong
        main={
          <>
            {bundle ? <BundleLink projectId={projectId} bundle={bundle} /> : 'No bundle'}{' '}
            {rollout?.isRolledBack && <span className={css.badge}>rolled back</span>}
            {rollout?.isRollback && <span className={css.badge}>rollback</span>}
          </>
        }
        sub={contentsText(contents)}
        mono="sub"
      />
    ),
  },
  {
    id: 'rolledOut',
    head: 'Rolled out',
    width: '24%',
    cell: run => <RolledOut projectId={projectId} channelId={channelId} run={run} />,
  },
  ...figures,
];

function RolledOut({ projectId, channelId, run }: { projectId: string; channelId: string; run: ChannelRun }) {
  const { rollout, at } = run;
  return (
    <TwoLines
      main={
        rollout ? (
          <Link
            to="/projects/$projectId/channels/$channelId/rollouts/$rolloutId"
            params={{ projectId, channelId, rolloutId: rollout.id }}
          >
            {daysText(rollout.startedAt ?? at, rollout.finishedAt ?? at)}
          </Link>
        ) : (
          dayText(at)
        )
      }
      sub={<span dir="auto">{howText(run)}</span>}
    />
  );
}

const figures: readonly Column<ChannelRun>[] = [
  {
    id: 'took',
    head: 'Took',
    align: 'end',
    width: '12%',
    cell: ({ rollout }) =>
      rollout?.startedAt && rollout.finishedAt
        ? durationText(Date.parse(rollout.finishedAt) - Date.parse(rollout.startedAt))
        : '–',
  },
  {
    id: 'updated',
    head: 'Updated',
    align: 'end',
    width: '11%',
    cell: ({ rollout }) =>
      rollout ? `${numberText(rollout.counts.updated)} of ${numberText(rollout.counts.admitted)}` : '–',
  },
  {
    id: 'failed',
    head: 'Failed',
    align: 'end',
    width: '9%',
    always: true,
    cell: ({ rollout }) => (rollout ? <Failed count={rollout.counts.failed} /> : '–'),
  },
  {
    id: 'ran',
    head: 'Then ran for',
    align: 'end',
    width: '16%',
    cell: ({ from, until, bundle }) => {
      if (from === undefined) return '–';
      if (until !== undefined) return durationText(Date.parse(until) - Date.parse(from));
      return <TwoLines strong main={<LastsSince time={from} />} {...(bundle && { sub: 'running' })} />;
    },
  },
];

function Failed({ count }: { count: number }) {
  return count > 0 ? <b className={css.failed}>{numberText(count)}</b> : <>0</>;
}

function daysText(from: string, to: string): string {
  const [first, last] = [dayText(from), dayText(to)];
  return first === last ? first : `${first} to ${last}`;
}

/** "Mari Kask, 3 steps", "stopped after a gate had paused it" */
function howText({ by, rollout }: ChannelRun): string {
  if (!rollout) return by ? `${by.name}, all at once` : 'first bundle of the channel';
  if (rollout.state !== 'finished')
    return rollout.wasPausedByGate ? 'stopped after a gate had paused it' : `stopped, ${by?.name ?? ''}`;
  const steps = rollout.stepCount === 1 ? '1 step' : `${rollout.stepCount} steps`;
  return by ? `${by.name}, ${steps}` : steps;
}
