import type { ReactNode } from 'react';
import css from './EmptyState.module.css';

interface EmptyStateProps {
  title: string;
  /** One sentence about the purpose of the screen. */
  children?: ReactNode;
  /** The one next thing to do. */
  action?: ReactNode;
  icon?: ReactNode;
  /** True: it replaces a whole screen. */
  isScreen?: boolean;
}

export function EmptyState({ title, children, action, icon, isScreen = false }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      {icon && <div className={css.icon}>{icon}</div>}
      {isScreen ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <div className={css.text}>{children}</div>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
