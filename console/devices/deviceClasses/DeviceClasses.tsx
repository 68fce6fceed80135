import { useParams } from '@tanstack/react-router';
import { useDeviceCountsLive } from '#console/core/live/useDevicesLive.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { DevicesTabs } from '#console/devices/DevicesTabs.tsx';
import { Bollard } from '#console/ui/drawings.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { createDeviceClass, type DeviceClassRow, listDeviceClasses } from '#contract/deviceClass.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ConnectedShare } from './ConnectedShare.tsx';
import { NewDeviceClass } from './NewDeviceClass.tsx';

/** The device classes of a project, and how many devices of each are connected. */
export function DeviceClasses() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const adding = useAdd('Create device class', useMay(createDeviceClass));
  useDeviceCountsLive();
  return (
    <ListScreen
      title="Device classes"
      noun="device classes"
      endpoint={listDeviceClasses}
      input={page => ({ params: { projectId }, query: { ...page } })}
      searchHint="Class, description…"
      tabs={<DevicesTabs projectId={projectId} />}
      columns={columns}
      rowKey={({ id }) => id}
      rowLink={({ id: classId }) => ({
        to: '/projects/$projectId/device_classes/$classId/instances',
        params: { projectId, classId },
      })}
      rowMenu={({ id: classId }) => {
        const params = { projectId, classId };
        return [
          { label: 'Class', link: { to: '/projects/$projectId/device_classes/$classId/overview', params } },
          {
            label: 'Config',
            link: { to: '/projects/$projectId/device_classes/$classId/advanced', params },
          },
        ];
      }}
      create={adding.button('primary')}
      empty={
        <EmptyState icon={<Bollard />} title="Start with a device class" action={adding.button('primary')}>
          A class is one kind of device you make: its devices share schemas, config and firmware. Next, add
          devices to it.
        </EmptyState>
      }
    >
      {adding.open && <NewDeviceClass projectId={projectId} onClose={adding.close} />}
    </ListScreen>
  );
}

const columns: readonly Column<DeviceClassRow>[] = [
  {
    id: 'id',
    head: 'Class',
    sort: 'id',
    cell: ({ id, description }) => (
      <TwoLines strong main={id} sub={description && <span dir="auto">{firstLine(description)}</span>} />
    ),
  },
  {
    id: 'connected',
    head: 'Connected',
    width: '24%',
    cell: ({ connectedCount, deviceCount }) => (
      <ConnectedShare connected={connectedCount} devices={deviceCount} />
    ),
  },
  {
    id: 'quarantine',
    head: 'Quarantine',
    width: '18%',
    cell: ({ quarantineCount: count }) =>
      count > 0 ? (
        <StatePill
          shape="plain"
          tone="warn"
          word={`${numberText(count)} ${count === 1 ? 'message' : 'messages'}`}
        />
      ) : (
        '–'
      ),
  },
  {
    id: 'created',
    head: 'Created',
    sort: 'createdAt',
    width: '16%',
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
];
