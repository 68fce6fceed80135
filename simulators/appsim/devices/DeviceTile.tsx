import { useStore } from '#console/core/store.ts';
import { DeviceIcon } from '#console/ui/icons/icons.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { LastsSince } from '#console/ui/time/TimeAgo.tsx';
import type { LiveDevice } from '#sdk/app.ts';
import type { AppSimulation } from '../simulation.ts';
import { type DeviceField, fieldText } from './deviceFields.ts';
import css from './devices.module.css';
import { FieldControl } from './FieldControl.tsx';
import { nameOfDevice } from './nameOfDevice.ts';
import { useDevice } from './useDevice.ts';

interface DeviceTileProps {
  simulation: AppSimulation;
  device: LiveDevice;
  /** The first tile has room for all its controls. */
  isFirst: boolean;
}

/** A device at a glance: its measurement, and its most important control. */
export function DeviceTile({ simulation, device, isFirst }: DeviceTileProps) {
  const { fields, mayControl, set, error } = useDevice(simulation, device);
  const { about } = device;
  const isOffline = useStore(simulation.isOffline);
  const settable = fields.filter(({ control }) => control !== 'none' && control !== 'text');
  const headline = headlineOf(fields);
  const isWide = isFirst && settable.some(({ control }) => control !== 'switch');
  const controls = settable.slice(0, isWide ? 3 : 1).filter(({ control }) => isWide || control === 'switch');
  const isPending = fields.some(field => field.isPending);
  return (
    <li
      className={css.tile}
      data-wide={isWide || undefined}
      data-away={isOffline || !device.isConnected || undefined}
    >
      <div className={css.tileHead}>
        <span className={css.tileIcon} aria-hidden="true">
          <DeviceIcon size={16} />
        </span>
        {isOffline ? (
          <span className={css.tileState}>Last known</span>
        ) : (
          <TileState device={device} fields={fields} />
        )}
      </div>
      {headline && <p className={css.figure}>{fieldText(headline, headline.shown)}</p>}
      <button
        type="button"
        className={css.tileName}
        onClick={() => simulation.navigation.open({ kind: 'device', deviceId: device.id })}
      >
        <span dir="auto">{nameOfDevice(about)}</span>
      </button>
      {controls.map(field => (
        <div key={field.name} className={css.tileControl}>
          {isWide && <span className={css.tileLabel}>{field.title}</span>}
          <FieldControl field={field} disabled={!mayControl} onSet={value => set(field, value)} />
        </div>
      ))}
      {asksToUpdate(device) && (
        <p className={css.tileNote}>
          <Dot tone="busy" /> new firmware waits for consent
        </p>
      )}
      {(error || isPending) && (
        <p className={css.tileNote}>
          {error ? (
            <span role="alert">{error.message}</span>
          ) : (
            <>
              <Dot tone="warn" /> waits for the device
            </>
          )}
        </p>
      )}
    </li>
  );
}

function asksToUpdate({ update }: LiveDevice): boolean {
  return update?.state === 'ready' && update.waitsFor === 'consent' && update.consent?.answer !== 'install';
}

/** The value to show first: a measurement, or else the first reported property. */
function headlineOf(fields: readonly DeviceField[]): DeviceField | undefined {
  const known = fields.filter(({ shown }) => shown !== undefined && typeof shown !== 'object');
  const isBattery = ({ name }: DeviceField) => /battery|signal|rssi/i.test(name);
  return (
    known.find(field => field.control === 'none' && typeof field.shown === 'number' && !isBattery(field)) ??
    known.find(field => !isBattery(field))
  );
}

const batteryLow = 20;

function TileState({ device, fields }: { device: LiveDevice; fields: readonly DeviceField[] }) {
  const { connectionStatus, since, suspended } = device.about;
  if (suspended) return <span className={css.tileState}>Suspended</span>;
  if (connectionStatus === 'never') return <span className={css.tileState}>Never connected</span>;
  if (!device.isConnected)
    return (
      <span className={css.tileState}>
        <Dot tone="off" />{' '}
        {since ? (
          <>
            Offline for <LastsSince time={since} />
          </>
        ) : (
          'Offline'
        )}
      </span>
    );
  const battery = fields.find(({ name }) => /battery/i.test(name));
  if (typeof battery?.reported !== 'number') return <span className={css.tileState}>Connected</span>;
  const isLow = battery.reported < batteryLow;
  return (
    <span className={css.tileState} data-low={isLow || undefined}>
      {isLow && 'Battery '}
      {battery.reported} %
    </span>
  );
}
