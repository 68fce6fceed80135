import { utcDayText } from '#console/ui/time/dateTexts.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import css from './chart.module.css';

interface DayBarsProps {
  /** What is counted, for screen readers. */
  label: string;
  /** Only days with a count. */
  days: readonly { day: string; calls: number }[];
  /** The first and last day shown, UTC. */
  from: string;
  to: string;
}

const height = 24;

/** A bar for each day in a cell, without a scale; a dashed line for days without a count. */
export function DayBars({ label, days, from, to }: DayBarsProps) {
  const counts = new Map(days.map(({ day, calls }) => [day, calls]));
  const first = Date.parse(from);
  const all = Array.from({ length: Math.round((Date.parse(to) - first) / dayMs) + 1 }, (_, i) => {
    const day = new Date(first + i * dayMs).toISOString().slice(0, 10);
    return { day, calls: counts.get(day) ?? 0 };
  });
  const top = Math.max(...all.map(({ calls }) => calls), 1);
  const used = all.filter(({ calls }) => calls > 0).length;
  return (
    <svg
      className={css.days}
      viewBox={`0 0 ${all.length * 5 - 1} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${used === 0 ? 'none' : `on ${used} of ${all.length} days, at most ${numberText(top)}`}`}
    >
      {used < 3 && (
        <line className={css.none} x1="0" x2={all.length * 5 - 1} y1={height - 0.5} y2={height - 0.5} />
      )}
      {all.map(({ day, calls }, at) => {
        const high = calls === 0 ? 0 : Math.max(2, (calls / top) * height);
        return (
          <g key={day} className={css.column}>
            <title>{`${utcDayText(day)}: ${numberText(calls)}`}</title>
            <rect className={css.reach} x={at * 5 - 0.5} y="0" width="5" height={height} />
            <rect className={css.day} x={at * 5} y={height - high} width="4" height={high} />
          </g>
        );
      })}
    </svg>
  );
}
