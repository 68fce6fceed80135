import { useState } from 'react';
import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { choicesOf, resolved } from '#console/modules/config/configSchema.ts';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import { Cards } from './Cards.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';

/** Texts, one per line: addresses, names. */
export function LinesControl({ schema, path, label, required }: ControlProps) {
  const { value, set, fault, touch } = useConfigField(path, true);
  const own = Array.isArray(value) ? value.join('\n') : '';
  const [typed, setTyped] = useState<string>();
  const text = typed !== undefined && linesOf(typed).join('\n') === own ? typed : own;
  const isEmails = schema.ui?.control === 'emails';
  return (
    <TextArea
      label={required ? label : `${label} (optional)`}
      hint={schema.description ?? 'One per line.'}
      fault={fault}
      mono={!isEmails}
      rows={3}
      spellCheck={false}
      placeholder={schema.ui?.placeholder ?? (isEmails ? 'ada@example.com' : undefined)}
      value={text}
      onChange={next => {
        setTyped(next);
        const lines = linesOf(next);
        set(lines.length === 0 && !required ? undefined : lines);
      }}
      onBlur={touch}
    />
  );
}

const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map(line => line.trim())
    .filter(Boolean);

/** Any of a few choices. */
export function SetControl({ schema, path, label }: ControlProps) {
  const { defs } = useConfig();
  const { value, set, fault } = useConfigField(path, true);
  const item = resolved(schema.items ?? {}, defs);
  const choices = choicesOf({ ...item, ui: { ...item.ui, ...schema.ui } }) ?? [];
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <div className={css.group}>
      <span className={css.label}>{label}</span>
      <Chips
        label={label}
        chips={choices.map(one => ({ value: String(one.value), label: one.label }))}
        chosen={chosen}
        onChange={next => set(choices.filter(one => next.includes(String(one.value))).map(one => one.value))}
      />
      {fault && <p className={css.fault}>{fault}</p>}
      {schema.description && <p className={css.hint}>{schema.description}</p>}
    </div>
  );
}

/** Objects, each a card. */
export function CardsControl(props: ControlProps) {
  const { schema, label } = props;
  return (
    <fieldset className={css.group}>
      <legend className={css.label}>{label}</legend>
      {schema.description && <p className={css.hint}>{schema.description}</p>}
      <Cards schema={schema} path={props.path} noun={label.toLowerCase().replace(/s$/, '')} />
    </fieldset>
  );
}
