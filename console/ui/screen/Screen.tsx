import type { ReactNode } from 'react';
import { Later } from './Later.tsx';
import css from './Screen.module.css';

interface ScreenProps {
  title: ReactNode;
  /** Shown before the title: the avatar of a person. */
  lead?: ReactNode;
  /** Shown beside the title: a count, an id, a state. */
  beside?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  /** Shown above the title: a greeting. */
  before?: ReactNode;
  /** True: the top bar already shows the title, and nothing is beside it. */
  isHeadless?: boolean;
  /** Forms are easier to read up to this width: 1200 px. Tables and logs use the full width. */
  width?: 'full' | 'form' | 'narrow';
  children: ReactNode;
}

/** The top of every screen: title, what belongs beside it, actions at the right, tabs, then the content. */
export function Screen({
  title,
  lead,
  beside,
  actions,
  tabs,
  before,
  isHeadless = false,
  width = 'full',
  children,
}: ScreenProps) {
  return (
    <div className={[css.screen, css[width]].join(' ')}>
      {before}
      <header className={isHeadless ? 'visuallyHidden' : css.head}>
        <div className={css.title}>
          {lead ? (
            <div className={css.named}>
              {lead}
              <h1 tabIndex={-1} dir="auto">
                {title}
              </h1>
            </div>
          ) : (
            <h1 tabIndex={-1} dir="auto">
              {title}
            </h1>
          )}
          {beside}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {tabs}
      <Later>{children}</Later>
    </div>
  );
}

/** A wide column and a narrow one beside it; one under the other where there is no room. */
export function Columns({ children, side }: { children: ReactNode; side?: ReactNode }) {
  return (
    <div className={css.columns} data-side={side ? true : undefined}>
      <div className={css.column}>{children}</div>
      {side && <div className={css.column}>{side}</div>}
    </div>
  );
}
