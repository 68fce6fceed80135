import { DeviceStatePill } from '#console/devices/DeviceStatePill.tsx';
import css from '#console/devices/devices.module.css';
import { channelName } from '#console/devices/deviceWords.ts';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import type { DeviceRow } from '#contract/device.ts';

/** What matters first: which one, is it alive, what it runs, when it was last seen. */
export const instanceColumns: readonly Column<DeviceRow>[] = [
  {
    id: 'device',
    head: 'Device',
    sort: 'name',
    alsoSort: { head: 'Tag', by: 'tag' },
    cell: row => <Identity row={row} />,
  },
  {
    id: 'state',
    head: 'State',
    width: '21%',
    cell: row => <DeviceStatePill device={row} shape="lines" />,
  },
  {
    id: 'seen',
    head: 'Last seen',
    sort: 'lastSeen',
    width: '12%',
    cell: ({ connection, connectionStatus }) => (
      <span className={css.quiet}>
        {connectionStatus === 'connected' ? 'now' : <TimeAgo time={connection.lastSeen} />}
      </span>
    ),
  },
  {
    id: 'channel',
    head: 'Channel',
    width: '11%',
    cell: ({ channel }) => <code className={css.cellCode}>{channelName(channel)}</code>,
  },
  {
    id: 'bundle',
    head: 'Bundle',
    width: '13%',
    cell: ({ bundleInstalled }) =>
      bundleInstalled ? <code className={css.cellCode}>{bundleInstalled}</code> : '–',
  },
  {
    id: 'made',
    head: 'Created',
    sort: 'creationTime',
    width: '11%',
    cell: ({ creationTime }) => (
      <span className={css.quiet}>
        <TimeAgo time={creationTime} />
      </span>
    ),
  },
];

/** Name over tag and id; where there is no name the tag takes its place. */
function Identity({ row: { id, tag, name } }: { row: DeviceRow }) {
  const main = name || tag;
  return (
    <TwoLines
      strong
      main={main ? <span dir="auto">{main}</span> : <span className={css.nameless}>(no name)</span>}
      sub={
        <span className={css.ids}>
          {name && tag && <b dir="auto">{tag}</b>}
          <span>{id}</span>
        </span>
      }
      mono="sub"
    />
  );
}
