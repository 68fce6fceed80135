import type { ReactNode } from 'react';
import css from './Progress.module.css';

interface ProgressProps {
  /** What is in progress, with figures. */
  label: string;
  /** From 0 to 1; undefined: not known yet. */
  part: number | undefined;
  tone?: 'busy' | 'ok' | 'danger';
  action?: ReactNode;
}

/** The progress of something that takes time. */
export function Progress({ label, part, tone = 'busy', action }: ProgressProps) {
  return (
    <div className={css.progress} data-tone={tone}>
      <span className={css.label} role={tone === 'busy' ? undefined : 'status'}>
        {label}
      </span>
      {action}
      <ProgressBar label={label} part={part} />
    </div>
  );
}

/** Only the bar, as wide as its container. */
export function ProgressBar({ label, part }: Pick<ProgressProps, 'label' | 'part'>) {
  return (
    <progress className={css.bar} aria-label={label} max={1} {...(part !== undefined && { value: part })} />
  );
}
