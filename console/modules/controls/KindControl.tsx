import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { initialOf, isObject, kindsOf } from '#console/modules/config/configSchema.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { ConfigFields } from './ConfigFields.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';

const none = '\u0000';

/** A choice of kinds, each with its own properties. */
export function KindControl({ schema, path, label, required }: ControlProps) {
  const { defs } = useConfig();
  const { value, set, fault } = useConfigField(path);
  const union = kindsOf(schema, defs);
  if (!union) return null;
  const kind = union.kinds.find(one => isObject(value) && one.value === value[union.property]);
  const options = union.kinds.map(one => ({ value: one.value, label: one.label }));
  return (
    <div className={css.group}>
      <SelectField
        label={label}
        hint={kind?.schema.description ?? schema.description}
        fault={fault}
        value={kind?.value ?? none}
        options={
          kind && required ? options : [{ value: none, label: required ? 'Choose…' : 'None' }, ...options]
        }
        onChange={next => {
          const chosen = union.kinds.find(one => one.value === next);
          set(chosen && initialOf(chosen.schema, defs));
        }}
      />
      {kind && (
        <div className={css.inset}>
          <ConfigFields schema={kind.schema} path={path} />
        </div>
      )}
    </div>
  );
}
