import { useConfig } from '#console/modules/config/ConfigContext.ts';
import { isObject, isShown, type Schema } from '#console/modules/config/configSchema.ts';
import type { Path } from '#console/modules/config/pointers.ts';
import fold from '#console/ui/screen/Disclosure.module.css';
import { ConfigProperty } from './ConfigProperty.tsx';
import css from './controls.module.css';

interface ConfigFieldsProps {
  schema: Schema;
  path?: Path;
  /** Properties that are drawn elsewhere. */
  without?: readonly string[];
}

/** The properties of an object as fields, one below the other; rarely needed ones are folded. */
export function ConfigFields({ schema, path = [], without = [] }: ConfigFieldsProps) {
  const { valueAt, faultsAt } = useConfig();
  const value = valueAt(path);
  const beside = isObject(value) ? value : {};
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name, property]) =>
      !without.includes(name) && property.const === undefined && isShown(property, beside),
  );
  const plain = shown.filter(([, { ui }]) => !ui?.advanced);
  const advanced = shown.filter(([, { ui }]) => ui?.advanced);
  const field = ([name, property]: [string, Schema]) => (
    <ConfigProperty
      key={name}
      name={name}
      schema={property}
      path={[...path, name]}
      required={schema.required?.includes(name) ?? false}
    />
  );
  // A field with a fault is never hidden.
  const isOpen = advanced.some(([name]) => faultsAt([...path, name], true).length > 0);
  return (
    <div className={css.fields}>
      {plain.map(field)}
      {advanced.length > 0 && (
        <details className={css.more} open={isOpen || undefined}>
          <summary className={fold.disclosure}>More settings</summary>
          <div className={css.fields}>{advanced.map(field)}</div>
        </details>
      )}
    </div>
  );
}
