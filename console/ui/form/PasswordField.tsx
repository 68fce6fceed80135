import { type InputHTMLAttributes, useState } from 'react';
import { IconButton } from '#console/ui/Button.tsx';
import { EyeIcon, EyeOffIcon } from '#console/ui/icons/icon.tsx';
import css from './Field.module.css';
import { Field, type FieldProps } from './Field.tsx';

interface PasswordFieldProps
  extends FieldProps,
    Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type' | keyof FieldProps> {
  value: string;
  onChange: (value: string) => void;
  autoComplete: 'current-password' | 'new-password';
}

/** A password that can be shown; leading and trailing spaces are part of it. */
export function PasswordField({ label, hint, error, aside, value, onChange, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {control => (
        <div className={css.reveal}>
          <input
            spellCheck={false}
            autoCapitalize="none"
            {...rest}
            {...control}
            type={shown ? 'text' : 'password'}
            className={css.control}
            value={value}
            onChange={event => onChange(event.target.value)}
          />
          <IconButton
            label={shown ? 'Hide password' : 'Show password'}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </IconButton>
        </div>
      )}
    </Field>
  );
}
