import type { ReactNode } from 'react';
import css from './chart.module.css';
import { niceTop, shortCount } from './scale.ts';

export interface StackedPoint {
  /** Milliseconds since 1970. */
  at: number;
  /** One value for each layer, from the bottom up. */
  values: readonly number[];
}

interface StackedAreaProps {
  /** What is shown and how it developed, for screen readers. */
  label: string;
  points: readonly StackedPoint[];
  /** From the bottom up. */
  tones: readonly ('ok' | 'accent' | 'danger')[];
  from: number;
  to: number;
  /** The total that the layers can grow to, shown as a dashed line. */
  whole: number;
  ticks: readonly { at: number; text: ReactNode }[];
}

const width = 600;
const height = 110;

/** Parts of a whole over time, stacked. */
export function StackedArea({ label, points, tones, from, to, whole, ticks }: StackedAreaProps) {
  const top = Math.max(2, whole, ...points.map(({ values }) => sumTo(values, values.length)));
  const x = (at: number) => (to > from ? ((at - from) / (to - from)) * width : width);
  const y = (value: number) => height - (value / top) * (height - 4);
  const place = (at: number, value: number) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`;
  const layer = (n: number) => {
    const upper = points.map(({ at, values }) => place(at, sumTo(values, n + 1)));
    const lower = points.map(({ at, values }) => place(at, sumTo(values, n))).toReversed();
    return `M${[...upper, ...lower].join(' L')} Z`;
  };
  // A grid line at a round figure, unless it would collide with the top or the line of the whole.
  const half = niceTop(top / 2);
  const marks = half < top * 0.86 && Math.abs(half - whole) > top * 0.14 ? [half] : [];
  const share = (value: number) => `${(y(value) / height) * 100}%`;
  return (
    <figure className={css.figure}>
      <div className={css.plot} data-stacked>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <line className={css.none} x1="0" x2={width} y1={y(whole)} y2={y(whole)} />
          {marks.map(value => (
            <line key={value} className={css.grid} x1="0" x2={width} y1={y(value)} y2={y(value)} />
          ))}
          {points.length > 1 &&
            tones.map((tone, n) => <path key={tone} className={css.layer} data-tone={tone} d={layer(n)} />)}
        </svg>
        <span className={css.levels} aria-hidden="true">
          {[whole, ...marks].map(value => (
            <span key={value} style={{ top: share(value) }}>
              {shortCount(value)}
            </span>
          ))}
        </span>
      </div>
      <figcaption className={css.axis} aria-hidden="true">
        {ticks.map(({ at, text }) => (
          <span key={at} style={{ insetInlineStart: `${(x(at) / width) * 100}%` }}>
            {text}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function sumTo(values: readonly number[], count: number): number {
  return values.slice(0, count).reduce((sum, value) => sum + value, 0);
}
