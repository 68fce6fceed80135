import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { initialOf } from '#console/modules/config/configSchema.ts';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { ConfigFields } from './ConfigFields.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';

/** Several properties under one name; an optional object is switched on first. */
export function ObjectControl({ schema, path, label, required }: ControlProps) {
  const { defs } = useConfig();
  const { value, set, fault } = useConfigField(path);
  if (!required)
    return (
      <div className={css.group}>
        <Checkbox
          label={label}
          hint={schema.description}
          checked={value !== undefined}
          onChange={on => set(on ? initialOf(schema, defs) : undefined)}
        />
        {fault && <p className={css.fault}>{fault}</p>}
        {value !== undefined && (
          <div className={css.inset}>
            <ConfigFields schema={schema} path={path} />
          </div>
        )}
      </div>
    );
  return (
    <fieldset className={css.group}>
      <legend className={css.label}>{label}</legend>
      {schema.description && <p className={css.hint}>{schema.description}</p>}
      {fault && <p className={css.fault}>{fault}</p>}
      <div className={css.inset}>
        <ConfigFields schema={schema} path={path} />
      </div>
    </fieldset>
  );
}
