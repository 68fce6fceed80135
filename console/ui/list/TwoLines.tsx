import type { ReactNode } from 'react';
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
        >
          {sub}
        </span>
      )}
    </span>
  );
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
