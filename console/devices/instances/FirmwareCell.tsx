import { DeviceStatePill } from '#console/devices/DeviceStatePill.tsx';
import devicesCss from '#console/devices/devices.module.css';
import { isMoving, progressText } from '#console/devices/firmware/updateWords.ts';
import { Dash, TwoLines } from '#console/ui/list/TwoLines.tsx';
import { useIsNarrow } from '#console/ui/screen/useIsNarrow.ts';
import { ProgressBar } from '#console/ui/state/Progress.tsx';
import type { DeviceRow } from '#contract/device.ts';
import type { MovingUpdate } from '#contract/fleet.ts';
import { usePulse } from './Pulses.tsx';
import css from './pulse.module.css';

/** What a device runs; during an update, the versions it moves from and to, and its progress. */
export function FirmwareCell({ device }: { device: DeviceRow }) {
  return (
    <span className={css.firmware}>
      <Firmware device={device} />
    </span>
  );
}

function Firmware({ device }: { device: DeviceRow }) {
  const { id, channel, bundleInstalled, bundleInstalledName = bundleInstalled, bundlePinned } = device;
  const pulse = usePulse(id);
  const { version, update } = pulse?.firmware ?? {};
  if (update && isMoving(update))
    return (
      <TwoLines
        main={<Change from={version ?? bundleInstalledName} update={update} />}
        sub={<UpdateLine device={device} update={update} />}
        {...(update.version !== undefined && { mono: 'main' })}
      />
    );
  const bundle = bundleInstalledName !== undefined && <span dir="auto">{bundleInstalledName}</span>;
  // If the device follows anything but the default, the cell says so beside the version.
  const follows = bundlePinned !== undefined ? 'pinned' : channel;
  const both = (bundle || follows) && (
    <>
      {bundle}
      {bundle && follows && ' · '}
      {follows}
    </>
  );
  if (pulse === undefined) return <TwoLines main={bundle && <Waiting />} sub={both} />;
  if (version === undefined) return <TwoLines main={bundle || <Dash said="Not reported" />} sub={follows} />;
  return <TwoLines mono="main" main={<bdi>{version}</bdi>} sub={both} />;
}

/** The connection status of a device. A phone has no firmware column, so the firmware is shown below the status. */
export function StateCell({ device }: { device: DeviceRow }) {
  const isNarrow = useIsNarrow();
  const { version, update } = usePulse(device.id)?.firmware ?? {};
  const isUpdated = isNarrow && !device.suspended && update && isMoving(update);
  return (
    <span className={devicesCss.stateCell}>
      <DeviceStatePill
        device={device}
        shape="lines"
        also={isNarrow ? version : undefined}
        {...(isUpdated && { detail: <UpdateLine device={device} update={update} /> })}
      />
    </span>
  );
}

const Waiting = () => <span className={css.version} data-waiting />;

/** In characters. Longer versions would wrap onto two lines, so only the new version is shown. */
const bothMax = 15;

/** "3.2.0 → 3.3.0"; the names of the bundles if the update changes no version. */
function Change({ from = '', update }: { from: string | undefined; update: MovingUpdate }) {
  const to = update.version ?? update.bundle?.name ?? '';
  return (
    <span title={`${from} → ${to}`}>
      {from.length + to.length <= bothMax && <bdi>{from} </bdi>}→ <bdi>{to}</bdi>
    </span>
  );
}

/** The progress of an update: a bar if the device reports a percentage, otherwise a word. */
function UpdateLine({ device, update }: { device: DeviceRow; update: MovingUpdate }) {
  const { percent, bundle } = update;
  const said = progressText(update);
  // Nothing moves while the device is offline.
  const isStill = device.connectionStatus !== 'connected' || device.suspended;
  return (
    <span className={css.update} title={said} data-still={isStill || undefined}>
      {percent === undefined ? (
        <span className={css.word}>{said}</span>
      ) : (
        <>
          <ProgressBar label={`${bundle?.name ?? ''}: ${said}`} part={percent / 100} />
          {Math.round(percent)} %
        </>
      )}
    </span>
  );
}
