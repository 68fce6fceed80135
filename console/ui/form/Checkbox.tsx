import { type ReactNode, useId } from 'react';
import css from './Checkbox.module.css';

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  disabled?: boolean;
}

export function Checkbox({ label, checked, onChange, hint, disabled }: CheckboxProps) {
  const id = useId();
  return (
    <div className={css.row}>
      <input
        type="checkbox"
        id={id}
        className={css.box}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}hint` : undefined}
        onChange={event => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p className={css.hint} id={`${id}hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface BareCheckboxProps {
  label: string;
  checked: boolean;
  some?: boolean;
  onChange: (checked: boolean, withShift: boolean) => void;
}

/** For table rows: the label is only for screen readers. */
export function BareCheckbox({ label, checked, some = false, onChange }: BareCheckboxProps) {
  return (
    <input
      type="checkbox"
      className={css.box}
      aria-label={label}
      checked={checked}
      ref={box => {
        if (box) box.indeterminate = some && !checked;
      }}
      onChange={event => onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey === true)}
    />
  );
}
