import type { ReactNode } from 'react';
import css from './Hint.module.css';

/** A quiet sentence above a screen, about what is special for this reader. */
export function Hint({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={css.hint}>
      <p>{children}</p>
      {action}
    </div>
  );
}
