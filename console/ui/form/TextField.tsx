import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react';
import arrow from '#console/ui/Arrow.module.css';
import { lengthOf } from '#console/ui/lengthOf.ts';
import css from './Field.module.css';
import { Field, type FieldProps } from './Field.tsx';

interface Value {
  value: string;
  onChange: (value: string) => void;
  /** For ids, keys, codes. */
  mono?: boolean;
}

type Own = keyof Value | keyof FieldProps;
type TextFieldProps = FieldProps &
  Value &
  Omit<InputHTMLAttributes<HTMLInputElement>, Own> & { ref?: Ref<HTMLInputElement> };

export function TextField({ label, hint, mono, value, onChange, maxLength, ...given }: TextFieldProps) {
  const { error, fault, aside, keepsHint = false, ...rest } = given;
  return (
    <Field
      label={label}
      hint={hint}
      keepsHint={keepsHint}
      fault={fault}
      {...lengthOf(value, maxLength, { error, aside })}
    >
      {control => (
        <input
          {...rest}
          {...control}
          className={[css.control, mono && css.mono, rest.list && arrow.arrow].filter(Boolean).join(' ')}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type TextAreaProps = FieldProps & Value & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, Own>;

export function TextArea({ label, hint, mono, value, onChange, maxLength, ...given }: TextAreaProps) {
  const { error, fault, aside, keepsHint = false, ...rest } = given;
  return (
    <Field
      label={label}
      hint={hint}
      keepsHint={keepsHint}
      fault={fault}
      {...lengthOf(value, maxLength, { error, aside })}
    >
      {control => (
        <textarea
          {...rest}
          {...control}
          className={[css.control, mono && css.mono].filter(Boolean).join(' ')}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
