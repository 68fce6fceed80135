import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { typeOf } from '#console/modules/config/configSchema.ts';
import { PickOne } from '#console/people/PickOne.tsx';
import { IconButton } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { listDevices } from '#contract/device.ts';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';

const shownMax = 6;

/** One device, or several, found by name, tag or id. */
export function DeviceControl({ schema, path, label }: ControlProps) {
  const { projectId } = useConfig();
  const { value, set, fault } = useConfigField(path, true);
  const isList = typeOf(schema) === 'array';
  const chosen = Array.isArray(value) ? value.map(String) : typeof value === 'string' && value ? [value] : [];
  const [search, setSearch] = useState('');
  const { data, error } = useRead(listDevices, {
    query: { projectId, limit: Math.min(100, shownMax + chosen.length), ...(search && { search }) },
  });
  const found = data?.items
    .filter(({ id }) => !chosen.includes(id))
    .slice(0, shownMax)
    .map(device => ({ value: device.id, label: deviceName(device), detail: device.id }));
  return (
    <div className={css.group}>
      {chosen.length > 0 && (
        <ul className={css.tokens} aria-label={label}>
          {chosen.map(id => (
            <li key={id}>
              <code>{id}</code>
              <IconButton
                label={`Remove ${id}`}
                onClick={() => set(isList ? chosen.filter(one => one !== id) : undefined)}
              >
                <CloseIcon size={12} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {(isList || chosen.length === 0) && (
        <PickOne
          label={isList ? `Add to ${label.toLowerCase()}` : label}
          hint={schema.description}
          placeholder="Tag, name, id…"
          found={found}
          failed={error}
          none="No devices found."
          onSearch={setSearch}
          value=""
          onChange={id => set(isList ? [...chosen, id] : id)}
        />
      )}
      {fault && <p className={css.fault}>{fault}</p>}
    </div>
  );
}
