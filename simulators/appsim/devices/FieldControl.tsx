import field from '#console/ui/form/Field.module.css';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import type { Json } from '#sdk/app.ts';
import { useTypedText } from '../../shared/useTypedText.ts';
import { type DeviceField, fieldText, stepped } from './deviceFields.ts';
import css from './devices.module.css';

interface FieldControlProps {
  field: DeviceField;
  onSet: (value: Json) => void;
  disabled: boolean;
}

const segmentsMax = 4;

/** The control of a property, or its value if it cannot be set. */
export function FieldControl({ field: one, onSet, disabled }: FieldControlProps) {
  const { control, title, schema, shown } = one;
  if (control === 'none' || disabled) return <span className={css.value}>{fieldText(one, shown)}</span>;
  if (control === 'switch') return <Toggle label={title} on={shown === true} onChange={onSet} words={null} />;
  if (control === 'number') return <Stepper field={one} onSet={onSet} />;
  if (control === 'text') return <TextControl field={one} onSet={onSet} />;
  const choices = (schema.enum as Json[]).map(value => ({
    value: JSON.stringify(value),
    label: textOf(value),
  }));
  if (choices.length <= segmentsMax)
    return (
      <Segments
        label={title}
        options={choices}
        chosen={JSON.stringify(shown) ?? ''}
        onChange={value => onSet(JSON.parse(value) as Json)}
      />
    );
  return (
    <select
      className={field.control}
      aria-label={title}
      value={JSON.stringify(shown) ?? ''}
      onChange={({ target }) => onSet(JSON.parse(target.value) as Json)}
    >
      {shown === undefined && <option value="">–</option>}
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

function textOf(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number with buttons to decrease and increase it. */
function Stepper({ field: one, onSet }: { field: DeviceField; onSet: (value: Json) => void }) {
  const { title, shown } = one;
  const [down, up] = [stepped(one, -1), stepped(one, 1)];
  return (
    <span className={css.stepper}>
      <button
        type="button"
        aria-label={`${title}: lower`}
        disabled={down === shown}
        onClick={() => onSet(down)}
      >
        −
      </button>
      <output aria-label={title}>{fieldText(one, shown)}</output>
      <button type="button" aria-label={`${title}: raise`} disabled={up === shown} onClick={() => onSet(up)}>
        +
      </button>
    </span>
  );
}

function TextControl({
  field: { title, shown },
  onSet,
}: {
  field: DeviceField;
  onSet: (value: Json) => void;
}) {
  const typed = useTypedText(typeof shown === 'string' ? shown : '', onSet);
  return <input className={field.control} aria-label={title} {...typed.field} />;
}
