import type { ReactNode } from 'react';
import css from './EmptyState.module.css';

interface EmptyStateProps {
  title: string;
  /** One sentence on what this is for. */
  children?: ReactNode;
  /** The one next thing to do. */
  action?: ReactNode;
  icon?: ReactNode;
}

export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      {icon && <div className={css.icon}>{icon}</div>}
      <h2>{title}</h2>
      {children && <div className={css.text}>{children}</div>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
