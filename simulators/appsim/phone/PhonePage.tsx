import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '#console/ui/Button.tsx';
import { ChevronLeftIcon } from '#console/ui/icons/icons.tsx';
import css from './phone.module.css';

interface PhonePageProps {
  title: ReactNode;
  onBack?: (() => void) | undefined;
  action?: ReactNode;
  children: ReactNode;
}

/** A screen on top of its tab. The focus moves to its title. */
export function PhonePage({ title, onBack, action, children }: PhonePageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={css.screen}>
      <header className={css.pageHead}>
        {onBack && (
          <IconButton label="Back" onClick={onBack}>
            <ChevronLeftIcon />
          </IconButton>
        )}
        <h2 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h2>
        {action && <span className={css.headEnd}>{action}</span>}
      </header>
      <PhoneBody>{children}</PhoneBody>
    </div>
  );
}

/** The scrolling part of a screen. */
export function PhoneBody({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
    <section className={css.body} tabIndex={0} aria-label="Screen">
      {children}
    </section>
  );
}

/** A list of rows separated by lines. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={css.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  main: ReactNode;
  sub?: ReactNode;
  end?: ReactNode;
  onPress?: () => void;
  current?: boolean;
}

export function Row({ main, sub, end, onPress, current = false }: RowProps) {
  const words = (
    <span className={css.rowWords}>
      <b dir="auto">{main}</b>
      {sub && <small>{sub}</small>}
    </span>
  );
  return (
    <li className={css.row}>
      {onPress ? (
        <button type="button" className={css.rowPress} aria-current={current || undefined} onClick={onPress}>
          {words}
        </button>
      ) : (
        words
      )}
      {end && <span className={css.rowEnd}>{end}</span>}
    </li>
  );
}
