import type { ReactNode } from 'react';
import css from './Panel.module.css';

interface LinePanelProps {
  title: string;
  /** What is not there, and what would bring it, in a sentence. */
  children: ReactNode;
  action?: ReactNode;
}

/** A panel without content is one line: an empty box beside full ones would say less in more room. */
export function LinePanel({ title, children, action }: LinePanelProps) {
  return (
    <section className={css.line} aria-label={title}>
      <h2>{title}</h2>
      <p>{children}</p>
      {action && <span className={css.action}>{action}</span>}
    </section>
  );
}
