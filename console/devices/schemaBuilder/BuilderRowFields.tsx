import { useEffect, useState } from 'react';
import { IconButton } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { type BuilderRow, type BuilderType, builderTypes, choicesText, readChoices } from './builderRows.ts';
import css from './schemaBuilder.module.css';

interface BuilderRowFieldsProps {
  row: BuilderRow;
  /** The names of the other properties. */
  others: readonly string[];
  onChange: (change: Partial<BuilderRow>) => void;
  onRemove: () => void;
}

const typeWords: Readonly<Record<BuilderType, string>> = {
  number: 'number',
  integer: 'whole number',
  text: 'text',
  boolean: 'true or false',
  choice: 'one of',
};

/** One property: its name and title, type, range, unit, and whether it must be there. */
export function BuilderRowFields({ row, others, onChange, onRemove }: BuilderRowFieldsProps) {
  const { name, title, type, isRequired, reason } = row;
  return (
    <li className={css.row} aria-label={name}>
      <div className={css.names}>
        <NameField name={name} others={others} onChange={next => onChange({ name: next })} />
        {reason === undefined && (
          <input
            aria-label={`Title of ${name}`}
            placeholder="Title (optional)"
            dir="auto"
            autoComplete="off"
            value={title}
            onChange={({ target }) => onChange({ title: target.value })}
          />
        )}
      </div>
      {type === undefined ? (
        <p className={css.json}>Edited as JSON: {reason}.</p>
      ) : (
        <TypeFields {...{ row, type, onChange }} />
      )}
      <label className={css.required}>
        <input
          type="checkbox"
          aria-label={`${name} is required`}
          checked={isRequired}
          onChange={({ target }) => onChange({ isRequired: target.checked })}
        />
        <span aria-hidden="true">required</span>
      </label>
      <IconButton label={`Remove ${name}`} onClick={onRemove}>
        <CloseIcon size={14} />
      </IconButton>
    </li>
  );
}

type TypeFieldsProps = Pick<BuilderRowFieldsProps, 'row' | 'onChange'> & { type: BuilderType };

function TypeFields({ row, type, onChange }: TypeFieldsProps) {
  const { name, unit } = row;
  return (
    <>
      <select
        aria-label={`Type of ${name}`}
        value={type}
        onChange={({ target }) => onChange({ type: target.value as BuilderType })}
      >
        {builderTypes.map(one => (
          <option key={one} value={one}>
            {typeWords[one]}
          </option>
        ))}
      </select>
      <RangeFields row={row} onChange={onChange} />
      {type === 'number' || type === 'integer' ? (
        <input
          aria-label={`Unit of ${name}`}
          className={css.unit}
          placeholder="unit"
          autoComplete="off"
          value={unit}
          onChange={({ target }) => onChange({ unit: target.value })}
        />
      ) : (
        <span className={css.unit} />
      )}
    </>
  );
}

/** A name that is empty or taken is not used until it is another one. */
function NameField({
  name,
  others,
  onChange,
}: {
  name: string;
  others: readonly string[];
  onChange: (name: string) => void;
}) {
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  const isTaken = others.includes(typed);
  const fault = isTaken ? 'Another property has this name.' : typed === '' ? 'Enter a name.' : undefined;
  return (
    <>
      <input
        data-name
        aria-label={`Name of ${name}`}
        aria-invalid={fault !== undefined || undefined}
        className={css.name}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onBlur={() => setTyped(name)}
        onChange={({ target: { value } }) => {
          setTyped(value);
          if (value !== '' && !others.includes(value)) onChange(value);
        }}
      />
      {fault && <p className={css.fault}>{fault}</p>}
    </>
  );
}

function RangeFields({ row, onChange }: Pick<BuilderRowFieldsProps, 'row' | 'onChange'>) {
  const { name, type, minimum, maximum, choices } = row;
  if (type === 'choice')
    return <ChoicesField name={name} choices={choices} onChange={next => onChange({ choices: next })} />;
  if (type !== 'number' && type !== 'integer') return <span className={css.range} />;
  return (
    <span className={css.range}>
      <BoundField
        label={`Minimum of ${name}`}
        value={minimum}
        onChange={next => onChange({ minimum: next })}
      />
      to
      <BoundField
        label={`Maximum of ${name}`}
        value={maximum}
        onChange={next => onChange({ maximum: next })}
      />
    </span>
  );
}

function BoundField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}) {
  const said = value === undefined ? '' : String(value);
  const [typed, setTyped] = useState(said);
  // The JSON may have changed it; what is typed stays as long as it is the same number.
  useEffect(() => setTyped(now => (numberOf(now) === value ? now : said)), [said, value]);
  return (
    <input
      aria-label={label}
      aria-invalid={(typed !== '' && numberOf(typed) === undefined) || undefined}
      inputMode="decimal"
      placeholder="any"
      autoComplete="off"
      value={typed}
      // What is no number was not taken: the field does not go on to show it beside what is saved.
      onBlur={() => setTyped(now => (numberOf(now) === undefined ? said : now))}
      onChange={({ target }) => {
        setTyped(target.value);
        const number = numberOf(target.value);
        if (number !== undefined || target.value.trim() === '') onChange(number);
      }}
    />
  );
}

function numberOf(text: string): number | undefined {
  const plain = text.trim().replace(',', '.').replace('−', '-');
  const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function ChoicesField({
  name,
  choices,
  onChange,
}: {
  name: string;
  choices: readonly string[];
  onChange: (choices: string[]) => void;
}) {
  const [typed, setTyped] = useState(choicesText(choices));
  const key = JSON.stringify(choices);
  useEffect(
    () => setTyped(now => (JSON.stringify(readChoices(now)) === key ? now : choicesText(JSON.parse(key)))),
    [key],
  );
  return (
    <input
      aria-label={`Values of ${name}`}
      className={css.range}
      placeholder="off, heat, cool"
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readChoices(target.value));
      }}
    />
  );
}
