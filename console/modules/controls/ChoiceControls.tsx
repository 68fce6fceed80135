import { useRead } from '#console/core/api.ts';
import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { choicesOf, typeOf } from '#console/modules/config/configSchema.ts';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import { listDeviceClasses } from '#contract/deviceClass.ts';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';

const none = '\u0000';

export function ChoiceControl({ schema, path, label, required }: ControlProps) {
  const { value, set, fault } = useConfigField(path);
  const choices = choicesOf(schema) ?? [];
  const options = choices.map(one => ({ value: String(one.value), label: one.label }));
  return (
    <SelectField
      label={required ? label : `${label} (optional)`}
      hint={schema.description}
      fault={fault}
      value={value === undefined ? none : String(value)}
      options={value === undefined || !required ? [{ value: none, label: '—' }, ...options] : options}
      onChange={next => set(choices.find(one => String(one.value) === next)?.value)}
    />
  );
}

export function ToggleControl({ schema, path, label }: ControlProps) {
  const { value, set } = useConfigField(path);
  return <Checkbox label={label} hint={schema.description} checked={value === true} onChange={set} />;
}

/** One class, or several. */
export function DeviceClassControl({ schema, path, label, required }: ControlProps) {
  const { projectId } = useConfig();
  const { value, set, fault } = useConfigField(path, true);
  const { data } = useRead(listDeviceClasses, { params: { projectId }, query: { limit: 100 } });
  const ids = data?.items.map(({ id }) => id) ?? [];
  if (typeOf(schema) !== 'array')
    return (
      <SelectField
        label={required ? label : `${label} (optional)`}
        hint={schema.description}
        fault={fault}
        value={typeof value === 'string' ? value : ''}
        options={[
          { value: '', label: required ? 'Choose a class' : 'Any class' },
          ...[...new Set([...ids, ...(typeof value === 'string' && value ? [value] : [])])].map(id => ({
            value: id,
            label: id,
          })),
        ]}
        onChange={next => set(next === '' && !required ? undefined : next)}
      />
    );
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <div className={css.group}>
      <span className={css.label}>{label}</span>
      <Chips
        label={label}
        chips={[...new Set([...ids, ...chosen])].map(id => ({ value: id, label: id }))}
        chosen={chosen}
        onChange={set}
      />
      {fault && <p className={css.fault}>{fault}</p>}
      {schema.description && <p className={css.hint}>{schema.description}</p>}
    </div>
  );
}
