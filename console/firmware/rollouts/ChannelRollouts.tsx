import { useRead } from '#console/core/api.ts';
import { ListPanel } from '#console/ui/list/ListPanel.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { listRollouts, type RolloutRow } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';
import { RolloutPill } from './RolloutPill.tsx';
import { changeText } from './rolloutWords.ts';

/** How a channel came to point at its bundle: its last rollouts, the unfinished one first. */
export function ChannelRollouts({ projectId, channelId }: { projectId: string; channelId: string }) {
  const read = useRead(listRollouts, { query: { projectId, channelId, limit: 25 } });
  const rows = read.data?.items;
  return (
    <ListPanel
      title="Rollouts"
      read={{ ...read, data: rows }}
      what="The rollouts"
      refetchError
      none="None yet. When you change the bundle in steps, the rollout and its result are listed here."
      columns={columns}
      rowKey={({ id }) => id}
      rowName={changeText}
      rowLink={({ id: rolloutId }) => ({
        to: '/projects/$projectId/channels/$channelId/rollouts/$rolloutId',
        params: { projectId, channelId, rolloutId },
      })}
    />
  );
}

const columns: readonly Column<RolloutRow>[] = [
  {
    id: 'rollout',
    head: 'Rollout',
    cell: row => (
      <TwoLines
        strong
        main={<span dir="auto">{changeText(row)}</span>}
        sub={
          <>
            {row.createdBy && <span dir="auto">{row.createdBy.name}, </span>}
            <TimeAgo time={row.createdAt} />
          </>
        }
      />
    ),
  },
  {
    id: 'state',
    head: 'State',
    width: '30%',
    cell: row => <RolloutPill rollout={row} shape="lines" />,
  },
  {
    id: 'updated',
    head: 'Updated',
    align: 'end',
    width: '18%',
    cell: ({ counts: { updated, admitted } }) =>
      admitted === 0 ? '–' : `${numberText(updated)} of ${numberText(admitted)}`,
  },
  {
    id: 'failed',
    head: 'Failed',
    align: 'end',
    width: '12%',
    cell: ({ counts: { failed } }) => (failed === 0 ? '–' : numberText(failed)),
  },
];
