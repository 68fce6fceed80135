import { useState } from 'react';
import { Button } from './Button.tsx';
import css from './DayBars.module.css';

export interface DayCount {
  /** `2026-11-20` */
  day: string;
  count: number;
}

interface DayBarsProps {
  /** What is counted: "Calls of the developer API". */
  label: string;
  /** Every day of the range, also those without any. */
  days: readonly DayCount[];
}

const width = 720;
const height = 150;

/** Counts by day as bars, with the same figures as a table behind them. */
export function DayBars({ label, days }: DayBarsProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div>
      {asTable ? <Figures label={label} days={days} /> : <Bars label={label} days={days} />}
      <div className={css.foot}>
        <p>{summary(days)}</p>
        <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
    </div>
  );
}

function Bars({ label, days }: DayBarsProps) {
  const top = roundUp(Math.max(1, ...days.map(({ count }) => count)));
  const step = width / Math.max(1, days.length);
  return (
    <figure className={css.figure}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${summary(days)}`}
      >
        {[0.5, 1].map(part => (
          <line
            key={part}
            className={css.grid}
            x1="0"
            x2={width}
            y1={height * (1 - part) + 0.5}
            y2={height * (1 - part) + 0.5}
          />
        ))}
        {days.map(({ day, count }, at) => (
          <g key={day} className={css.bar}>
            <title>{`${dayText(day)}: ${count.toLocaleString('en')}`}</title>
            {/* The whole column answers to the pointer, however low its bar. */}
            <rect className={css.reach} x={at * step} y="0" width={step} height={height} />
            <rect
              className={css.fill}
              data-none={count === 0 || undefined}
              x={at * step + step * 0.14}
              y={height - barHeight(count, top)}
              width={step * 0.72}
              height={barHeight(count, top)}
              rx={Math.min(1.5, step / 6)}
            />
          </g>
        ))}
      </svg>
      <span className={css.top}>{top.toLocaleString('en')}</span>
      <figcaption className={css.axis}>
        <span>{days[0] && dayText(days[0].day)}</span>
        <span>{dayText(days[Math.floor(days.length / 2)]?.day ?? '')}</span>
        <span>today</span>
      </figcaption>
    </figure>
  );
}

function Figures({ label, days }: DayBarsProps) {
  const busy = days.filter(({ count }) => count > 0).toReversed();
  if (busy.length === 0) return <p className={css.none}>There is nothing to show yet.</p>;
  return (
    <div className={css.scroll}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">Count</th>
          </tr>
        </thead>
        <tbody>
          {busy.map(({ day, count }) => (
            <tr key={day}>
              <td>{dayText(day)}</td>
              <td>{count.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Something is always seen where there is something. */
function barHeight(count: number, top: number): number {
  return count === 0 ? 1 : Math.max(3, (count / top) * (height - 2));
}

function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map(step => step * size).find(step => step >= value) ?? value;
}

function summary(days: readonly DayCount[]): string {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const most = days.reduce((a, b) => (b.count > a.count ? b : a), { day: '', count: 0 });
  if (total === 0) return 'None in the last 2 months.';
  return `${total.toLocaleString('en')} in the last 2 months, most on ${dayText(most.day)} (${most.count.toLocaleString('en')}).`;
}

const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function dayText(day: string): string {
  return day ? format.format(new Date(`${day}T00:00:00Z`)) : '';
}
