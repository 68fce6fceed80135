import { useState } from 'react';
import { deviceName } from '#console/devices/deviceWords.ts';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { MyDevice } from '#contract/appApi/device.ts';
import type { GuestDeviceAccess, GuestDraft } from './guestDraft.ts';
import css from './guests.module.css';
import { dayNames } from './guestWords.ts';

/** The fields needed to choose a device. */
type GuestDevice = Pick<MyDevice, 'id' | 'name' | 'tag'>;

interface GuestFieldsProps {
  /** Undefined until they are known. */
  devices: readonly GuestDevice[] | undefined;
  timeZone: string;
  value: GuestDraft;
  onChange: (value: GuestDraft) => void;
  /** Why the form was not sent, as a sentence. */
  fault: string | undefined;
}

/** A guest's access: which devices, and when. */
export function GuestFields({ devices, timeZone, value, onChange, fault }: GuestFieldsProps) {
  const set = (change: Partial<GuestDraft>) => onChange({ ...value, ...change });
  const moment = (name: 'from' | 'until', label: string) => (
    <TextField
      label={label}
      type="datetime-local"
      value={value[name]}
      onChange={typed => set({ [name]: typed })}
    />
  );
  if (!devices) return <Skeleton lines={4} />;
  return (
    <>
      <GuestDevices devices={devices} chosen={value.devices} onChange={chosen => set({ devices: chosen })} />
      <div className={css.times}>
        {moment('from', 'From (optional)')}
        {moment('until', 'Until (optional)')}
      </div>
      <Checkbox
        label="Only at certain times of the week"
        checked={value.isWeekly}
        onChange={isWeekly => set({ isWeekly })}
      />
      {value.isWeekly && (
        <div className={css.weekly}>
          <Chips
            label="Days of the week"
            chips={dayNames.map((name, at) => ({ value: String(at + 1), label: name.slice(0, 3) }))}
            chosen={value.days.map(String)}
            onChange={days => set({ days: days.map(Number) })}
          />
          <div className={css.times}>
            <TextField label="From" type="time" value={value.opens} onChange={opens => set({ opens })} />
            <TextField label="To" type="time" value={value.closes} onChange={closes => set({ closes })} />
          </div>
        </div>
      )}
      <p className={css.quiet}>Times are in the home’s time zone, {timeZone}.</p>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

const searchFrom = 10;

interface GuestDevicesProps {
  devices: readonly GuestDevice[];
  chosen: GuestDraft['devices'];
  onChange: (chosen: GuestDraft['devices']) => void;
}

/** Each device of the home: whether the guest sees it, and whether they may control it. */
function GuestDevices({ devices, chosen, onChange }: GuestDevicesProps) {
  const [typed, setTyped] = useState('');
  const found = devices.filter(({ name, tag, id }) =>
    `${name} ${tag} ${id}`.toLowerCase().includes(typed.trim().toLowerCase()),
  );
  function choose(id: string, access: GuestDeviceAccess | undefined) {
    const { [id]: _, ...others } = chosen;
    onChange(access ? { ...others, [id]: access } : others);
  }
  if (devices.length === 0)
    return <p className={css.quiet}>This home has no devices yet, and a guest needs at least one.</p>;
  return (
    <fieldset className={css.devices}>
      <legend>Devices</legend>
      {devices.length > searchFrom && (
        <TextField label="Find a device" type="search" value={typed} onChange={setTyped} />
      )}
      <ul>
        {found.map(device => {
          const access = chosen[device.id];
          const name = deviceName(device);
          return (
            <li key={device.id}>
              <Checkbox
                label={<span dir="auto">{name}</span>}
                checked={access !== undefined}
                onChange={sees => choose(device.id, sees ? 'view' : undefined)}
              />
              <Checkbox
                label={
                  <>
                    control<span className="visuallyHidden"> {name}</span>
                  </>
                }
                checked={access === 'control'}
                onChange={controls => choose(device.id, controls ? 'control' : 'view')}
              />
            </li>
          );
        })}
      </ul>
      {found.length === 0 && <p className={css.quiet}>No such device in this home.</p>}
    </fieldset>
  );
}
