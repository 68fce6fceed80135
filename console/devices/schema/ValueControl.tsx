import arrow from '#console/ui/Arrow.module.css';
import field from '#console/ui/form/Field.module.css';
import css from './schema.module.css';
import type { SchemaPart } from './schemaProperties.ts';
import { unitOf } from './schemaWords.ts';
import { choicesOf, valueKind } from './valueText.ts';

interface ValueControlProps {
  id?: string;
  label?: string;
  schema: SchemaPart;
  /** In the format of `valueText`. */
  text: string;
  onChange: (text: string) => void;
  isFaulty: boolean;
  describedBy: string;
  autoFocus?: boolean;
}

/** One value with the control that suits its schema, including its unit. */
export function ValueControl({ schema, text, onChange, isFaulty, describedBy, ...rest }: ValueControlProps) {
  const { id, label, autoFocus = false } = rest;
  const kind = valueKind(schema);
  const unit = unitOf(schema);
  const common = {
    id,
    value: text,
    autoFocus,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isFaulty || undefined,
  };
  if (kind === 'choice')
    return (
      <span className={css.control}>
        <select
          {...common}
          className={`${field.control} ${arrow.arrow}`}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">–</option>
          {choicesOf(schema).map(choice => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      </span>
    );
  return (
    <span className={css.control} data-unit={unit ? true : undefined}>
      <input
        {...common}
        className={[field.control, kind !== 'text' && field.mono].filter(Boolean).join(' ')}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      {unit && <span className={css.unit}>{unit}</span>}
    </span>
  );
}
