import { type ReactNode, useId } from 'react';
import { numberText } from '#rules/text/numberText.ts';
import css from './chart.module.css';
import { niceTop } from './scale.ts';

export interface AreaPoint {
  /** Milliseconds since 1970. */
  at: number;
  value: number;
  /** The lowest value until the next point. */
  low?: number;
}

interface AreaChartProps {
  /** What is shown and how it developed, for screen readers. */
  label: string;
  points: readonly AreaPoint[];
  from: number;
  to: number;
  /** The minimum top of the scale, unless values are higher. */
  topMin?: number;
  ticks: readonly { at: number; text: ReactNode }[];
  /** Since when something is wrong, if it is. */
  troubleFrom?: number | undefined;
}

const width = 600;
const height = 88;

/** A value over time as a filled line, with gaps where there is no record. */
export function AreaChart({ label, points, from, to, topMin = 1, ticks, troubleFrom }: AreaChartProps) {
  const most = Math.max(...points.map(({ value }) => value));
  const top = most > topMin || topMin < 2 ? niceTop(most) : topMin;
  const middle = Math.floor(top / 2);
  const x = (at: number) => ((at - from) / (to - from)) * width;
  const y = (value: number) => height - (value / top) * (height - 4);
  const line = points.flatMap(({ at, value, low }, i) => {
    const next = points[i + 1]?.at ?? at;
    // A dip between two points is drawn in between, however short it was.
    const dip = low !== undefined && low < value ? [[x((at + next) / 2), y(low)]] : [];
    return [[x(at), y(value)], ...dip];
  });
  const path = line.map(([left = 0, down = 0]) => `${left.toFixed(1)},${down.toFixed(1)}`).join(' L');
  const fade = useId();
  const [begin, end] = [points[0], points.at(-1)];
  return (
    <figure className={css.figure}>
      <div className={css.plot}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <linearGradient id={fade} className={css.fade} x1="0" x2="0" y1="0" y2="1">
            <stop offset="0" />
            <stop offset="1" />
          </linearGradient>
          {[middle, top].map(value => (
            <line key={value} className={css.grid} x1="0" x2={width} y1={y(value)} y2={y(value)} />
          ))}
          {troubleFrom !== undefined && <Trouble from={x(troubleFrom)} />}
          {begin && end && (
            <>
              <path
                fill={`url(#${fade})`}
                d={`M${x(begin.at)},${height} L${path} L${x(end.at)},${height} Z`}
              />
              <path className={css.line} d={`M${path}`} />
            </>
          )}
        </svg>
        {end && (
          <span
            className={css.now}
            style={{
              insetInlineStart: `${(x(end.at) / width) * 100}%`,
              top: `${(y(end.value) / height) * 100}%`,
            }}
          />
        )}
        <span className={css.scale} aria-hidden="true">
          <span>{numberText(top)}</span>
          <span style={{ top: y(middle) }}>{numberText(middle)}</span>
        </span>
      </div>
      <Axis from={from} to={to} ticks={ticks} />
    </figure>
  );
}

/** From a moment on, something is wrong. */
function Trouble({ from }: { from: number }) {
  return (
    <>
      <rect className={css.trouble} x={from} width={width - from} height={height} />
      <path className={css.troubleFrom} d={`M${from},-6 V${height}`} />
    </>
  );
}

function Axis({ from, to, ticks }: Pick<AreaChartProps, 'from' | 'to' | 'ticks'>) {
  return (
    <figcaption className={css.axis} aria-hidden="true">
      {ticks.map(({ at, text }) => (
        <span key={at} style={{ insetInlineStart: `${((at - from) / (to - from)) * 100}%` }}>
          {text}
        </span>
      ))}
    </figcaption>
  );
}
