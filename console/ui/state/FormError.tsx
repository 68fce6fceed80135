import type { ReactNode } from 'react';
import css from './FormError.module.css';
import { type Failure, failureText } from './failureText.ts';

interface FormErrorProps {
  error: Failure | null | undefined;
  /** An action after the sentence. */
  action?: ReactNode;
}

/** Shows the server's reason, or CONNECTION_ERROR if the server did not answer. */
export function FormError({ error, action }: FormErrorProps) {
  if (!error) return null;
  return (
    <div className={css.error} role="alert">
      <p>{failureText(error)}</p>
      <p className={css.more}>
        <code>{error.reason}</code>
        {action}
      </p>
    </div>
  );
}
