import { DeviceStatePill } from '#console/devices/DeviceStatePill.tsx';
import css from '#console/devices/devices.module.css';
import { channelName } from '#console/devices/deviceWords.ts';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import type { DeviceRow } from '#contract/device.ts';
import { PulseStrip } from './PulseStrip.tsx';
import { Signals } from './Signals.tsx';

/** What matters first: which one, is it alive and was it, what it runs, when it spoke last, what troubles it. */
export function deviceColumns(withClass: boolean): readonly Column<DeviceRow>[] {
  return withClass ? [...first, ofClass, ...rest] : [...first, ...rest];
}

const first: readonly Column<DeviceRow>[] = [
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
    width: '20%',
    cell: row => <DeviceStatePill device={row} shape="lines" />,
  },
  {
    id: 'presence',
    head: 'Last 24 h',
    width: '150px',
    cell: row => <PulseStrip device={row} />,
  },
];

const ofClass: Column<DeviceRow> = {
  id: 'class',
  head: 'Class',
  width: '10%',
  isOptional: true,
  cell: ({ deviceClass }) => <span className={css.quiet}>{deviceClass}</span>,
};

const rest: readonly Column<DeviceRow>[] = [
  {
    id: 'firmware',
    head: 'Firmware',
    width: '10%',
    hasValue: ({ bundleInstalled, bundlePinned }) =>
      bundleInstalled !== undefined || bundlePinned !== undefined,
    cell: ({ bundleInstalled, bundleInstalledName, bundlePinned }) => (
      <TwoLines
        main={
          bundleInstalled ? (
            <span dir="auto">{bundleInstalledName ?? bundleInstalled}</span>
          ) : (
            <span className={css.quiet}>
              <span aria-hidden="true">–</span>
              <span className="visuallyHidden">Not reported</span>
            </span>
          )
        }
        sub={bundlePinned && 'pinned'}
      />
    ),
  },
  {
    id: 'message',
    head: 'Last message',
    sort: 'lastSeen',
    width: '10%',
    cell: ({ connection: { lastMessageAt } }) => (
      <span className={css.quiet}>
        <TimeAgo time={lastMessageAt} />
      </span>
    ),
  },
  {
    id: 'signals',
    head: 'Signals',
    width: '20%',
    cell: ({ id }) => <Signals id={id} />,
  },
  {
    id: 'channel',
    head: 'Channel',
    width: '8%',
    // All on the default one is nothing to tell.
    hasValue: ({ channel }) => channel !== '',
    cell: ({ channel }) => <code className={css.cellCode}>{channelName(channel)}</code>,
  },
  {
    id: 'made',
    head: 'Created',
    sort: 'creationTime',
    width: '10%',
    isOptional: true,
    cell: ({ creationTime }) => (
      <span className={css.quiet}>
        <TimeAgo time={creationTime} />
      </span>
    ),
  },
];

/** Name over tag; the id takes the place of what is missing. */
function Identity({ row: { id, tag, name } }: { row: DeviceRow }) {
  const sub = (name && tag) || (tag && !name ? undefined : id);
  const main = name || tag;
  return (
    <TwoLines
      strong
      main={main ? <span dir="auto">{main}</span> : <span className={css.nameless}>No name</span>}
      sub={sub && <span dir="auto">{sub}</span>}
      mono="sub"
    />
  );
}
