import type { SelectHTMLAttributes } from 'react';
import css from './Field.module.css';
import { Field, type FieldProps } from './Field.tsx';

interface SelectProps<Value extends string>
  extends FieldProps,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | keyof FieldProps> {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
}

export function Select<Value extends string>({
  label,
  hint,
  error,
  aside,
  value,
  onChange,
  options,
  ...rest
}: SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {control => (
        <select
          {...rest}
          {...control}
          className={css.control}
          value={value}
          onChange={event => onChange(event.target.value as Value)}
        >
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
