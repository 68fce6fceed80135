import { useState } from 'react';
import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { formatJson } from '#rules/json/formatJson.ts';
import { parseStrictJson } from '#rules/json/strictJson.ts';
import type { ControlProps } from './ConfigProperty.tsx';

/** Any value as JSON. While the text cannot be parsed, the value stays unchanged and the form cannot be saved. */
export function JsonControl({ schema, path, label, required }: ControlProps) {
  const { setBroken } = useConfig();
  const { value, set, fault } = useConfigField(path, true);
  const [typed, setTyped] = useState<{ text: string; of: unknown }>();
  const own = value === undefined ? '' : formatJson(JSON.stringify(value));
  // A value that changes from outside, for example when a change is discarded, replaces the typed text.
  const text =
    typed && (typed.of === value || JSON.stringify(typed.of) === JSON.stringify(value)) ? typed.text : own;
  function onChange(next: string) {
    const parsed = parseStrictJson(next);
    const isLeftOut = next.trim() === '' && !required;
    const now = parsed.ok ? (JSON.parse(next) as unknown) : isLeftOut ? undefined : value;
    setTyped({ text: next, of: now });
    setBroken(path, parsed.ok || isLeftOut ? undefined : 'This is not valid JSON.');
    if (parsed.ok || isLeftOut) set(now);
  }
  return (
    <JsonField
      label={required ? label : `${label} (optional)`}
      hint={schema.description}
      fault={fault}
      value={text}
      onChange={onChange}
      lines={[3, 16]}
    />
  );
}
