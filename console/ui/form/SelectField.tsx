import arrow from '#console/ui/Arrow.module.css';
import css from './Field.module.css';
import { Field, type FieldProps } from './Field.tsx';

interface SelectFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
  name?: string;
}

export function SelectField({ value, onChange, options, name, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {control => (
        <select
          {...control}
          name={name}
          className={`${css.control} ${arrow.arrow}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
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
