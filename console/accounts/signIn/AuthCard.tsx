import { type ReactNode, useEffect, useRef } from 'react';
import { Mark } from '#console/ui/screen/Mark.tsx';
import { NoticeBand } from '#console/ui/screen/NoticeBand.tsx';
import css from './AuthCard.module.css';

interface AuthCardProps {
  title: string;
  sub?: ReactNode;
  children?: ReactNode;
  /** Below the form: a link to the related screen. */
  foot?: ReactNode;
}

/** The frame of every screen before the shell: a card on a sea chart. */
export function AuthCard({ title, sub, children, foot }: AuthCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // This card replaced a form that had the focus.
    if (title && document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <main className={css.page}>
      <div className={css.chart} aria-hidden="true" />
      <div className={css.card}>
        <header className={css.head}>
          <Mark size={30} />
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {sub && <p className={css.sub}>{sub}</p>}
        </header>
        <NoticeBand />
        {children}
        {foot && <p className={css.foot}>{foot}</p>}
      </div>
    </main>
  );
}

/** The form of a card: its fields one under the other. */
export const authForm = css.form;
