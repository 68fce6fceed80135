import { type ReactNode, useId } from 'react';
import css from './Field.module.css';
import { sentenceOf } from './fieldSentence.ts';

export interface FieldProps {
  label: string;
  /** A sentence under the label's control; an error stands in its place. */
  hint?: ReactNode;
  /** True: the hint says what to do about the error, and stays beside it. */
  keepsHint?: boolean;
  /** A reason code; its sentence is shown with it. */
  error?: string | undefined;
  /** What is wrong in the server's own words, where there is no code for it. */
  fault?: string | undefined;
  /** Beside the label, at the right: a link, a counter. */
  aside?: ReactNode;
}

/** What the control inside a field needs so that label, hint and error belong to it. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** What these codes leave open the hint says. */
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
