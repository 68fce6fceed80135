import type { PointerEvent, ReactNode } from 'react';
import clamp from '#console/ui/Clamp.module.css';
import css from './Table.module.css';

interface TwoLinesProps {
  /** The name. */
  main: ReactNode;
  /** Shown below it in a quiet colour. */
  sub?: ReactNode;
  /** Which of the two are ids, versions, numbers. */
  mono?: 'main' | 'sub' | 'both';
  /** The first line is the row's name. */
  strong?: boolean;
  /** `sub` is an explanation, and not cut however many lines it takes. */
  whole?: boolean;
}

/** A cell of two lines. */
export function TwoLines({ main, sub, mono, strong = false, whole = false }: TwoLinesProps) {
  return (
    <span className={css.twoLines}>
      <span
        className={strong ? `${clamp.clamp} ${css.strong}` : clamp.clamp}
        data-mono={mono === 'main' || mono === 'both' || undefined}
      >
        {main}
      </span>
      {sub && (
        <span
          className={whole ? css.sub : `${clamp.clamp} ${css.sub}`}
          data-mono={mono === 'sub' || mono === 'both' || undefined}
          data-whole={whole || undefined}
        >
          {sub}
        </span>
      )}
    </span>
  );
}

/** Shows the full text of truncated cells as the row's title, because the row's link covers the texts themselves. */
export function showCut({ target }: PointerEvent<HTMLElement>): void {
  const row = target instanceof Element ? target.closest('tr') : null;
  const texts = [...(row?.querySelectorAll(`.${clamp.clamp}`) ?? [])];
  const cut = texts.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
  if (row) row.title = cut.map(({ textContent }) => textContent).join('\n');
}

/** A cell without a value; `said` is the reason, for screen readers. */
export function Dash({ said }: { said: string }) {
  return (
    <span className={css.dash} title={said}>
      <span aria-hidden="true">–</span>
      <span className="visuallyHidden">{said}</span>
    </span>
  );
}
