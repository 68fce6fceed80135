import { numberText } from '#rules/text/numberText.ts';
import type { AreaPoint } from './AreaChart.tsx';
import css from './chart.module.css';
import { niceTop, shortCount } from './scale.ts';

export interface Bar {
  /** The name in the table behind the chart and on hover: "20 Nov", "14:00". */
  label: string;
  /** The segments of the bar, from the bottom up. */
  values: readonly number[];
}

interface BarsProps {
  label: string;
  bars: readonly Bar[];
  /** Labels below the bars: at the start, in the middle, at the end. */
  ticks: readonly [string, string, string];
}

const width = 720;
const height = 150;

/** Counts as stacked bars. */
export function Bars({ label, bars, ticks }: BarsProps) {
  const top = niceTop(Math.max(...bars.map(({ values }) => sum(values))));
  const step = width / Math.max(1, bars.length);
  const barWidth = Math.min(28, step * 0.82);
  return (
    <figure className={css.figure}>
      <div className={css.plot}>
        <svg
          className={css.bars}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {[0, 0.5, 1].map(part => (
            <line
              key={part}
              className={css.grid}
              x1="0"
              x2={width}
              y1={(height - 1) * (1 - part) + 0.5}
              y2={(height - 1) * (1 - part) + 0.5}
            />
          ))}
          {bars.map((bar, at) => (
            <Column key={bar.label} bar={bar} top={top} x={at * step} step={step} width={barWidth} />
          ))}
        </svg>
        <span className={css.scale} aria-hidden="true">
          <span>{shortCount(top)}</span>
          <span>{shortCount(top / 2)}</span>
        </span>
      </div>
      <figcaption className={css.ends} aria-hidden="true">
        {ticks.map(text => (
          <span key={text}>{text}</span>
        ))}
      </figcaption>
    </figure>
  );
}

function Column(props: { bar: Bar; top: number; x: number; step: number; width: number }) {
  const { bar, top, x, step, width: wide } = props;
  let from = height;
  return (
    <g className={css.column}>
      <title>{`${bar.label}: ${numberText(sum(bar.values))}`}</title>
      {/* The whole column reacts to the pointer, however low its bar is. */}
      <rect className={css.reach} x={x} y="0" width={step} height={height} />
      {bar.values.map((value, part) => {
        const high = value === 0 ? 0 : Math.max(2, (value / top) * (height - 2));
        from -= high;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position
            key={part}
            className={css.fill}
            data-part={part}
            x={x + (step - wide) / 2}
            y={from}
            width={wide}
            height={high}
          />
        );
      })}
    </g>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A line in a cell: how a count developed, without a scale. */
export function Sparkline({ points, label }: { points: readonly AreaPoint['value'][]; label: string }) {
  const top = Math.max(1, ...points);
  const at = (value: number, i: number) =>
    `${((i / Math.max(1, points.length - 1)) * 96).toFixed(1)},${(21 - (value / top) * 19).toFixed(1)}`;
  const path = points.map(at).join(' L');
  return (
    <svg className={css.spark} viewBox="0 0 96 22" preserveAspectRatio="none" role="img" aria-label={label}>
      {points.some(value => value > 0) ? (
        <>
          <path className={css.area} d={`M0,22 L${path} L96,22 Z`} />
          <path className={css.line} d={`M${path}`} />
        </>
      ) : (
        <line className={css.none} x1="0" x2="96" y1="12" y2="12" />
      )}
    </svg>
  );
}
