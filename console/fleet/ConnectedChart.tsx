import { useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { AreaChart } from '#console/ui/chart/AreaChart.tsx';
import css from './fleet.module.css';
import type { History } from './useConnectedHistory.ts';

interface ConnectedChartProps {
  history: History;
  connected: number;
  total: number;
}

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** How many devices were connected over the last 24 hours, beginning where there is a record. */
export function ConnectedChart({ history, connected, total }: ConnectedChartProps) {
  const [asTable, setAsTable] = useState(false);
  const { points = [], from, to } = history;
  const shown = [...points.filter(({ at }) => at < to), { at: to, value: connected, low: connected }];
  const lowest = shown.reduce(
    (least, point) => (point.low < least.low ? point : least),
    shown[0] ?? { at: to, low: 0 },
  );
  const dip =
    points.length > 1 ? `low of ${lowest.low.toLocaleString('en')} at ${hour.format(lowest.at)}` : undefined;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(part => {
    const at = from + part * (to - from);
    return { at, text: part === 1 ? 'now' : hour.format(at) };
  });
  return (
    <div className={css.chart} data-tone="ok">
      <p className={css.chartHead}>
        <b>Connected devices</b>
        <span>{dip ?? 'on record from now on'}</span>
        {points.length > 1 && (
          <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
            {asTable ? 'As chart' : 'As table'}
          </Button>
        )}
      </p>
      {asTable ? (
        <HistoryTable points={points} />
      ) : (
        <AreaChart
          label={`Connected devices over the last 24 hours${dip ? `, ${dip}` : ''}`}
          points={shown}
          {...{ from, to, ticks }}
          topMin={total}
        />
      )}
    </div>
  );
}

function HistoryTable({ points }: { points: NonNullable<History['points']> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus
    <section className={css.scroll} aria-label="Connected devices as a table" tabIndex={0}>
      <table aria-label="Connected devices">
        <thead>
          <tr>
            <th scope="col">Until</th>
            <th scope="col">Connected</th>
            <th scope="col">Lowest</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ at, value, low }) => (
            <tr key={at}>
              <td>{hour.format(at)}</td>
              <td>{value.toLocaleString('en')}</td>
              <td>{low.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
