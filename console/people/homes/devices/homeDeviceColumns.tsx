import { deviceColumns } from '#console/devices/instances/deviceColumns.tsx';
import css from '#console/people/homes/homes.module.css';
import { PersonLink } from '#console/ui/links/PersonLink.tsx';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { HomeDevice } from '#contract/homeDevice.ts';

/** Widths for a table beside a side column. */
const fitted: Readonly<Record<string, Partial<Column<HomeDevice>>>> = {
  state: { width: '212px' },
  presence: { isWide: true },
  firmware: { isWide: true },
};
const kept = ['device', 'state', 'presence', 'firmware'];

/** The columns of the device list, plus who added each device and when. */
export function homeDeviceColumns(projectId: string, hasFirmware: boolean): readonly Column<HomeDevice>[] {
  return [
    // A home is read as a whole, in the server's order.
    ...deviceColumns({ withClass: false, hasFirmware })
      .filter(({ id }) => kept.includes(id))
      .map(({ sort, alsoSort, ...column }) => ({ ...column, ...fitted[column.id] })),
    {
      id: 'claimed',
      head: 'Claimed by',
      width: '150px',
      cell: device => <ClaimedBy projectId={projectId} device={device} />,
    },
  ];
}

function ClaimedBy({ projectId, device }: { projectId: string; device: HomeDevice }) {
  const { claimedBy, claimedHow, ownedSince } = device;
  const since = <TimeAgo time={ownedSince} />;
  if (claimedHow === 'added') return <TwoLines main="Your team" sub={<>added {since}</>} />;
  const who = claimedBy ? (
    <span className={css.above}>
      <PersonLink projectId={projectId} person={claimedBy} />
    </span>
  ) : (
    'a deleted user'
  );
  return <TwoLines main={who} sub={claimedHow === 'onDemand' ? <>on demand, {since}</> : since} />;
}
