import { type ReactNode, useId } from 'react';
import css from './Field.module.css';
import { sentenceOf } from './fieldSentence.ts';

export interface FieldProps {
  label: string;
  /** A sentence below the control; an error replaces it. */
  hint?: ReactNode;
  /** True: the hint explains how to fix the error, so it stays beside it. */
  keepsHint?: boolean;
  /** A reason code; its sentence is shown with it. */
  error?: string | undefined;
  /** The fault in the server's own words, if there is no code for it. */
  fault?: string | undefined;
  /** Shown beside the label, at the right: a link, a counter. */
  aside?: ReactNode;
}

/** The attributes that connect a control with its field's label, hint and error. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** Codes that are too vague to stand alone, so the hint stays. */
const isVague = /^(INVALID(_FORMAT)?|OUT_OF_RANGE|TOO_SHORT|\w+_POLICY)$/;

export function Field({
  label,
  hint,
  keepsHint = false,
  error,
  fault,
  aside,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const wrong = error ?? fault;
  const showsHint = hint && (!wrong || keepsHint || (error !== undefined && isVague.test(error)));
  const described = [wrong && `${id}error`, showsHint && `${id}hint`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={css.field}>
      <div className={css.head}>
        <label htmlFor={id}>{label}</label>
        {aside && <span className={css.aside}>{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': described, 'aria-invalid': wrong ? true : undefined })}
      {wrong && (
        <p className={css.error} id={`${id}error`} data-alone={!hint || undefined}>
          {error ? sentenceOf(error) : fault} {error && <code>{error}</code>}
        </p>
      )}
      {showsHint && (
        <p className={css.hint} id={`${id}hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
