import type { ReactNode } from 'react';
import { waitWords } from '#rules/waitWords.ts';
import css from './FormError.module.css';

/** As much of a failed call as people are told. */
export interface Failure {
  reason: string;
  message: string;
  retryAfterS?: number | undefined;
}

interface FormErrorProps {
  error: Failure | null | undefined;
  /** A way out, after the sentence. */
  action?: ReactNode;
}

/** A form shows the server's reason, or CONNECTION_ERROR when nothing answered. */
export function FormError({ error, action }: FormErrorProps) {
  if (!error) return null;
  return (
    <div className={css.error} role="alert">
      <p>{sentenceOf(error)}</p>
      <p className={css.more}>
        <code>{error.reason}</code>
        {action}
      </p>
    </div>
  );
}

/** A header is for programs; people are told how long to wait. */
function sentenceOf({ reason, message, retryAfterS }: Failure): string {
  if (reason !== 'TOO_MANY_REQUESTS' || retryAfterS === undefined) return message;
  return `Too many attempts. Try again in ${waitWords(retryAfterS)}.`;
}
