import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { FirmwareTabs } from '#console/firmware/FirmwareTabs.tsx';
import { RolloutPill } from '#console/firmware/rollouts/RolloutPill.tsx';
import { useUnfinishedRollouts } from '#console/firmware/rollouts/useUnfinishedRollouts.ts';
import { Buoy } from '#console/ui/drawings.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Channel, createChannel, listChannels } from '#contract/channel.ts';
import type { RolloutRow } from '#contract/rollout.ts';
import { readStats } from '#contract/stats.ts';
import { idMax } from '#rules/chosenId.ts';
import css from './channels.module.css';
import { figureOf } from './channelWords.ts';
import { FailedCount } from './firmware/FailedCount.tsx';
import { NewChannel } from './NewChannel.tsx';

/** Where the devices of each class get their firmware from, and the updates in progress. */
export function Channels() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const { data: stats } = useRead(readStats, { params: { projectId } });
  const classes = stats?.devices.map(({ deviceClass }) => deviceClass);
  const rollouts = useUnfinishedRollouts(projectId);
  const adding = useAdd('Create channel', useMay(createChannel));
  return (
    <ListScreen
      title="Channels"
      noun="channels"
      endpoint={listChannels}
      input={(page, chosen) => ({ query: { projectId, ...page, ...ofClass(chosen.class?.[0]) } })}
      searchHint="Name, description…"
      filters={[
        { id: 'class', label: 'Class', options: (classes ?? []).map(id => ({ value: id, label: id })) },
      ]}
      tabs={<FirmwareTabs projectId={projectId} />}
      columns={columnsOf(rollouts)}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowLink={({ id: channelId }) => ({
        to: '/projects/$projectId/channels/$channelId',
        params: { projectId, channelId },
      })}
      create={adding.button('primary')}
      empty={
        <EmptyState icon={<Buoy />} title="No channels yet" action={adding.button('primary')}>
          A channel assigns a bundle to the devices that follow it. Assign another bundle and they update, in
          steps that you can roll back.
        </EmptyState>
      }
    >
      {adding.open && classes && (
        <NewChannel projectId={projectId} classes={classes} onClose={adding.close} />
      )}
    </ListScreen>
  );
}

/** An address can contain anything. */
const ofClass = (deviceClass: string | undefined) =>
  deviceClass !== undefined && deviceClass.length <= idMax ? { deviceClass } : {};

function BundleCell({ channel: { bundleName, bundleSince } }: { channel: Channel }) {
  if (bundleName === undefined) return <span className={css.quiet}>none yet</span>;
  return <TwoLines main={<span dir="auto">{bundleName}</span>} sub={<TimeAgo time={bundleSince} />} />;
}

function columnsOf(rollouts: ReadonlyMap<string, RolloutRow> | undefined): readonly Column<Channel>[] {
  return [
    {
      id: 'channel',
      head: 'Channel',
      sort: 'name',
      cell: ({ name, description }) => (
        <TwoLines strong main={name} sub={description && <span dir="auto">{firstLine(description)}</span>} />
      ),
    },
    {
      id: 'bundle',
      head: 'Bundle',
      width: '20%',
      cell: channel => <BundleCell channel={channel} />,
    },
    {
      id: 'class',
      head: 'Class',
      sort: 'deviceClass',
      width: '16%',
      cell: ({ deviceClass }) => deviceClass,
    },
    {
      id: 'devices',
      head: 'Devices',
      width: '12%',
      cell: ({ deviceCount }) => figureOf(deviceCount),
    },
    {
      id: 'failed',
      head: 'Failed',
      width: '8%',
      align: 'end',
      hasValue: ({ failedCount }) => failedCount > 0,
      cell: ({ failedCount }) => <FailedCount count={failedCount} />,
    },
    {
      id: 'rollout',
      head: 'Rollout',
      width: '22%',
      cell: ({ id, rolloutId }) => {
        const rollout = rollouts?.get(id);
        if (!rollout) return rolloutId === undefined ? '–' : null;
        return <RolloutPill rollout={rollout} shape="lines" withBundle />;
      },
    },
    {
      id: 'created',
      head: 'Created',
      sort: 'createdAt',
      width: '12%',
      isOptional: true,
      cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
    },
  ];
}
