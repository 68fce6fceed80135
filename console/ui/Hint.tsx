import type { ReactNode } from 'react';
import css from './Hint.module.css';

/** A quiet sentence over a screen: what is special about seeing it as this person. */
export function Hint({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={css.hint}>
      <p>{children}</p>
      {action}
    </div>
  );
}
