import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { IconButton } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { isTooLong } from '#console/ui/form/TooLong.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import type { Channel } from '#contract/channel.ts';
import { listDevices } from '#contract/device.ts';
import { idsMax } from '#contract/deviceBulk.ts';
import { searchMax } from '#contract/paging.ts';
import css from './change.module.css';
import type { ChosenDevice } from './useChange.ts';

interface ChosenDevicesProps {
  channel: Channel;
  chosen: readonly ChosenDevice[];
  onChange: (chosen: readonly ChosenDevice[]) => void;
}

/** The devices that go first, chosen among those of the channel by tag, name or id. */
export function ChosenDevices({ channel, chosen, onChange }: ChosenDevicesProps) {
  const { projectId, deviceClass, name } = channel;
  const [search, setSearch] = useState('');
  const wanted = isTooLong(search, searchMax) ? '' : search.trim();
  const { data } = useRead(
    listDevices,
    { query: { projectId, deviceClass, channel: name, limit: 10, ...(wanted && { search: wanted }) } },
    { enabled: wanted !== '' },
  );
  const known = new Set(chosen.map(({ id }) => id));
  const found = wanted === '' ? [] : (data?.items ?? []).filter(({ id }) => !known.has(id));
  const add = (device: ChosenDevice) => {
    onChange([...chosen, device]);
    setSearch('');
  };
  return (
    <div className={css.chosen}>
      <TextField
        label="Devices that go first"
        hint={`Find them by tag, name or id; at most ${idsMax}.`}
        maxLength={searchMax}
        autoComplete="off"
        value={search}
        onChange={setSearch}
      />
      {found.length > 0 && chosen.length < idsMax && (
        <ul className={css.found} aria-label="Devices found">
          {found.map(({ id, name: own, tag }) => (
            <li key={id}>
              <button type="button" onClick={() => add({ id, name: own || tag || id })}>
                <span dir="auto">{own || tag || id}</span>
                <code>{own && tag ? tag : id}</code>
              </button>
            </li>
          ))}
        </ul>
      )}
      {wanted !== '' && data && found.length === 0 && (
        <p className={css.quiet}>No such device follows {name}.</p>
      )}
      {chosen.length > 0 && (
        <ul className={css.picked} aria-label="Chosen devices">
          {chosen.map(one => (
            <li key={one.id}>
              <span dir="auto">{one.name}</span>
              <IconButton
                label={`Remove ${one.name}`}
                onClick={() => onChange(chosen.filter(({ id }) => id !== one.id))}
              >
                <CloseIcon size={12} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
