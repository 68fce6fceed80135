import { type InputHTMLAttributes, useState } from 'react';
import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import type { Schema } from '#console/modules/config/configSchema.ts';
import { durationUnits, unitFor } from '#console/modules/config/durations.ts';
import arrow from '#console/ui/Arrow.module.css';
import fieldCss from '#console/ui/form/Field.module.css';
import { Field } from '#console/ui/form/Field.tsx';
import { numberText } from '#rules/text/numberText.ts';
import type { ControlProps } from './ConfigProperty.tsx';
import css from './controls.module.css';

/** A number held as text, so that a half-typed number stays as typed; text that is not a number is a fault. */
function useNumber({ path, required }: ControlProps, factor: number) {
  const { setBroken } = useConfig();
  const { value, set, fault, touch } = useConfigField(path);
  const own = typeof value === 'number' ? String(value / factor) : '';
  const [typed, setTyped] = useState<string>();
  function onChange(text: string) {
    setTyped(text);
    const number = Number(text.replace(',', '.'));
    const isNumber = text.trim() !== '' && Number.isFinite(number);
    setBroken(path, isNumber || (text.trim() === '' && !required) ? undefined : 'Enter a number.');
    set(isNumber ? Number((number * factor).toPrecision(15)) : undefined);
  }
  const onBlur = () => {
    touch();
    if (typeof value === 'number') setTyped(undefined);
  };
  return { typed: { text: typed ?? own, onChange, onBlur }, fault };
}

type NumberInputProps = InputHTMLAttributes<HTMLInputElement> & {
  typed: ReturnType<typeof useNumber>['typed'];
};

function NumberInput({ typed: { text, onChange, onBlur }, ...rest }: NumberInputProps) {
  return (
    <input
      {...rest}
      inputMode="decimal"
      className={fieldCss.control}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onBlur}
    />
  );
}

export function NumberControl(props: ControlProps) {
  const { schema, label, required } = props;
  const { typed, fault } = useNumber(props, 1);
  return (
    <Field label={required ? label : `${label} (optional)`} hint={hintOf(schema)} keepsHint fault={fault}>
      {control => (
        <span className={css.number}>
          <NumberInput {...control} typed={typed} placeholder={schema.ui?.placeholder} />
          {schema.ui?.unit && <span className={css.unit}>{schema.ui.unit}</span>}
        </span>
      )}
    </Field>
  );
}

/** Stored in seconds, or in the unit that the schema names; typed in the unit that reads best. */
export function DurationControl(props: ControlProps) {
  const { schema, path, label, required } = props;
  const base = durationUnits.find(({ id }) => id === (schema.ui?.unit ?? 's'))?.seconds ?? 1;
  const { value, set } = useConfigField(path);
  const seconds = typeof value === 'number' ? value * base : undefined;
  const [chosen, setChosen] = useState<string>();
  const unit = durationUnits.find(({ id }) => id === (chosen ?? unitFor(seconds))) ?? durationUnits[0];
  const factor = unit.seconds / base;
  const { typed, fault } = useNumber(props, factor);
  function changeUnit(id: string) {
    const next = durationUnits.find(one => one.id === id) ?? durationUnits[0];
    setChosen(id);
    const number = Number(typed.text);
    if (typed.text !== '' && Number.isFinite(number)) set((number * next.seconds) / base);
  }
  return (
    <Field label={required ? label : `${label} (optional)`} hint={schema.description} keepsHint fault={fault}>
      {control => (
        <span className={css.number}>
          <NumberInput {...control} typed={typed} placeholder={schema.ui?.placeholder} />
          <select
            aria-label={`Unit of ${label.toLowerCase()}`}
            className={`${fieldCss.control} ${arrow.arrow}`}
            value={unit.id}
            onChange={({ target }) => changeUnit(target.value)}
          >
            {durationUnits.map(({ id, label: word }) => (
              <option key={id} value={id}>
                {word}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  );
}

/** The description and the range. */
function hintOf({ description, minimum, maximum }: Schema): string | undefined {
  const isBound = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const number = (value: number) => numberText(value);
  const range =
    isBound(minimum) && isBound(maximum)
      ? `${number(minimum)} to ${number(maximum)}.`
      : isBound(maximum)
        ? `At most ${number(maximum)}.`
        : isBound(minimum) && minimum !== 0
          ? `At least ${number(minimum)}.`
          : '';
  return [description, range].filter(Boolean).join(' ') || undefined;
}
