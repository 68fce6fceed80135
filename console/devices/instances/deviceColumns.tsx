import css from '#console/devices/devices.module.css';
import { channelName } from '#console/devices/deviceWords.ts';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { DeviceRow } from '#contract/device.ts';
import { FirmwareCell, StateCell } from './FirmwareCell.tsx';
import { PulseStrip } from './PulseStrip.tsx';
import { Signals } from './Signals.tsx';

/** Columns in order of importance: identity, whether it is and was connected, firmware, last message, problems. */
export function deviceColumns({ withClass, hasFirmware }: Shown): readonly Column<DeviceRow>[] {
  return [...first, ...(withClass ? [ofClass] : []), firmware(hasFirmware), ...rest];
}

interface Shown {
  withClass: boolean;
  /** The project has bundles, so some device may be about to get its first firmware, or a device reports a version. */
  hasFirmware: boolean;
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
    width: '18%',
    cell: row => <StateCell device={row} />,
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

const firmware = (hasFirmware: boolean): Column<DeviceRow> => ({
  id: 'firmware',
  head: 'Firmware',
  width: '134px',
  hasValue: ({ bundleInstalled, bundlePinned, channel }) =>
    hasFirmware || bundleInstalled !== undefined || bundlePinned !== undefined || channel !== '',
  cell: row => <FirmwareCell device={row} />,
});

const rest: readonly Column<DeviceRow>[] = [
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
    width: '17%',
    cell: ({ id }) => <Signals id={id} />,
  },
  {
    id: 'channel',
    head: 'Channel',
    width: '8%',
    isOptional: true,
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

/** Name over tag; the id replaces whichever is missing. */
function Identity({ row: { id, tag, name } }: { row: DeviceRow }) {
  const sub = (name && tag) || (tag && !name ? undefined : id);
  const main = name || tag;
  return (
    <span className={css.identity}>
      <TwoLines
        strong
        main={main ? <span dir="auto">{main}</span> : <span className={css.nameless}>No name</span>}
        sub={sub && <span dir="auto">{sub}</span>}
        mono="sub"
      />
    </span>
  );
}
