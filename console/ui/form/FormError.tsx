import type { ReactNode } from 'react';
import type { CallFailed } from '#contract/client.ts';
import css from './FormError.module.css';

interface FormErrorProps {
  error: CallFailed | null | undefined;
  /** A way out, after the sentence. */
  action?: ReactNode;
}

/** A form shows the server's reason, or CONNECTION_ERROR when nothing answered. */
export function FormError({ error, action }: FormErrorProps) {
  if (!error) return null;
  return (
    <div className={css.error} role="alert">
      <p>
        {error.message}
        {error.retryAfterS !== undefined && ` Try again in ${waitText(error.retryAfterS)}.`}
      </p>
      <p className={css.more}>
        <code>{error.reason}</code>
        {action}
      </p>
    </div>
  );
}

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
