import { useId, useState } from 'react';
import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { useSuggestions } from '#console/modules/config/useSuggestions.ts';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import { useRuleNames } from './useRuleNames.ts';

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : String(value);

/** Shared by all controls of a single text. */
export function useTextField({ schema, path, label, required }: ControlProps) {
  const { value, set, fault, touch } = useConfigField(path, true);
  return {
    label: required ? label : `${label} (optional)`,
    hint: schema.description?.replace(/\{\{[^}]*\}\}/g, unbroken),
    fault,
    value: textOf(value),
    onChange: (text: string) => set(text === '' && !required ? undefined : text),
    onBlur: touch,
    placeholder: schema.ui?.placeholder,
    ...(schema.maxLength !== undefined && { maxLength: schema.maxLength }),
  };
}

const unbroken = (text: string) => text.replaceAll(' ', '\u00a0');

const inputTypes = { url: 'url', email: 'email' } as const;

export function TextControl(props: ControlProps) {
  const { control } = props.schema.ui ?? {};
  const type = control === 'url' || control === 'email' ? inputTypes[control] : undefined;
  return (
    <TextField
      {...useTextField(props)}
      autoComplete="off"
      {...(type && { type })}
      {...(control === 'url' && { mono: true, spellCheck: false })}
    />
  );
}

export function TextAreaControl(props: ControlProps) {
  return <TextArea {...useTextField(props)} rows={5} />;
}

const valuesHint = `Insert values in braces: ${unbroken('{{ device.tag }}, ')}${unbroken('{{ state.temperature }}.')}`;

/** Text with values in braces, named as in conditions. */
export function TemplateControl(props: ControlProps) {
  const field = useTextField(props);
  const { maxLength = 0 } = props.schema;
  const hint = field.hint ?? valuesHint;
  const isLong = maxLength > 300 || field.value.includes('\n');
  return isLong ? (
    <TextArea {...field} hint={hint} rows={4} spellCheck={false} />
  ) : (
    <TextField {...field} hint={hint} spellCheck={false} autoComplete="off" />
  );
}

/** The name of an event; known names are suggested. */
export function EventNameControl(props: ControlProps) {
  const { projectId, deviceClasses } = useConfig();
  return <Suggested {...props} options={useSuggestions(projectId, deviceClasses).events} />;
}

/** The name of a command; names from the schemas of the classes are suggested. */
export function CommandNameControl(props: ControlProps) {
  const { projectId, deviceClasses } = useConfig();
  return <Suggested {...props} options={useRuleNames(projectId, deviceClasses).commands} />;
}

export function TimeZoneControl(props: ControlProps) {
  const [zones] = useState(() => ['UTC', ...Intl.supportedValuesOf('timeZone')]);
  return <Suggested {...props} options={zones} />;
}

/** A text with suggestions. */
function Suggested({ options, ...props }: ControlProps & { options: readonly string[] }) {
  const id = useId();
  return (
    <div>
      <TextField {...useTextField(props)} mono spellCheck={false} autoComplete="off" list={id} />
      <datalist id={id}>
        {options.map(option => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </div>
  );
}
