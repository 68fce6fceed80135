import type { ReactNode } from 'react';
import css from './Panel.module.css';

interface LinePanelProps {
  title: string;
  /** A sentence about what is missing, and what would change that. */
  children: ReactNode;
  action?: ReactNode;
}

/** A panel without content, on one line: an empty box beside full ones would say less in more space. */
export function LinePanel({ title, children, action }: LinePanelProps) {
  return (
    <section className={css.line} aria-label={title}>
      <h2>{title}</h2>
      <p>{children}</p>
      {action && <span className={css.action}>{action}</span>}
    </section>
  );
}
