import { Link } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { ConnectedShare } from '#console/deviceClasses/ConnectedShare.tsx';
import { type Column, Table } from '#console/ui/list/Table.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { type ProjectStats, readStats } from '#contract/stats.ts';
import css from './overview.module.css';

type ClassStats = ProjectStats['devices'][number];

/** So many classes are a summary; all of them are a screen of their own. */
const shown = 8;

/** How the devices of each class fare, the largest class first. Absent while there are none. */
export function DevicesPanel({ projectId }: { projectId: string }) {
  const { data } = useRead(readStats, { params: { projectId } });
  if (!data || data.devices.length === 0) return null;
  const rows = data.devices.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, shown);
  return (
    <Panel
      title="Devices"
      note="by class"
      flush
      action={
        <Link to="/projects/$projectId/device_classes" params={{ projectId }} className={css.more}>
          All classes
        </Link>
      }
    >
      <Table
        label="Devices by class"
        columns={columns}
        rows={rows}
        rowKey={({ deviceClass }) => deviceClass}
        rowLink={({ deviceClass: classId }) => ({
          to: '/projects/$projectId/device_classes/$classId/instances',
          params: { projectId, classId },
        })}
      />
    </Panel>
  );
}

const columns: readonly Column<ClassStats>[] = [
  { id: 'class', head: 'Class', cell: ({ deviceClass }) => deviceClass },
  {
    id: 'connected',
    head: 'Connected',
    width: '34%',
    cell: one => <ConnectedShare connected={one.connected} devices={countOf(one)} />,
  },
  {
    id: 'claimed',
    head: 'Claimed',
    width: '22%',
    cell: ({ claimed }) => claimed.toLocaleString('en'),
  },
];

function countOf({ claimed, unclaimed }: ClassStats): number {
  return claimed + unclaimed;
}
