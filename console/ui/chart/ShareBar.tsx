import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { numberText } from '#rules/text/numberText.ts';
import css from './ShareBar.module.css';

export type ShareTone = 'ok' | 'accent' | 'away' | 'danger' | 'warn' | 'violet';

export interface Share {
  label: string;
  count: number;
  tone: ShareTone;
  /** Shown below the figure. */
  hint?: ReactNode;
  /** The list of exactly these items. */
  link?: LinkProps | undefined;
}

interface ShareBarProps {
  /** What is divided, for screen readers. */
  label: string;
  shares: readonly Share[];
  /** Draws lines between the figures. */
  ruled?: boolean;
}

/** A whole and its parts, which add up: a bar, with each part's figure below. */
export function ShareBar({ label, shares, ruled = false }: ShareBarProps) {
  const shown = shares.filter(({ count }) => count > 0);
  return (
    <section aria-label={label} className={css.shares}>
      <div className={css.bar} aria-hidden="true" data-none={shown.length === 0 || undefined}>
        {shown.map(({ label: name, count, tone }) => (
          <span key={name} className={css.part} data-tone={tone} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className={css.figures} data-ruled={ruled || undefined}>
        {shares.map(share => (
          <li key={share.label}>
            <Figure {...share} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Figure({ label, count, tone, hint, link }: Share) {
  const figure = numberText(count);
  return (
    <>
      <span className={css.name}>
        <span className={css.part} data-tone={tone} aria-hidden="true" />
        {label}
      </span>
      {link && count > 0 ? (
        <Link {...link} className={css.figure}>
          {figure}
          <span className="visuallyHidden"> {label.toLowerCase()}</span>
        </Link>
      ) : (
        <b className={css.figure}>{figure}</b>
      )}
      {hint && <span className={css.hint}>{hint}</span>}
    </>
  );
}
