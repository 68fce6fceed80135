import { useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { AreaChart } from '#console/ui/chart/AreaChart.tsx';
import { ChartTable } from '#console/ui/chart/ChartTable.tsx';
import { hourText } from '#console/ui/time/dateTexts.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './fleet.module.css';
import type { History } from './useConnectedHistory.ts';

interface ConnectedChartProps {
  history: History;
  connected: number;
  total: number;
  /** A loss of connection: when it began, and how many were connected before. */
  lost: { at: number; before: number } | undefined;
}

/** The number of connected devices over the last 24 hours, starting with the first record. */
export function ConnectedChart({ history, connected, total, lost }: ConnectedChartProps) {
  const [asTable, setAsTable] = useState(false);
  const { points = [], error, from, to } = history;
  const shown = [...points.filter(({ at }) => at < to), { at: to, value: connected, low: connected }];
  const lowest = shown.reduce(
    (least, point) => (point.low < least.low ? point : least),
    shown[0] ?? { at: to, low: 0 },
  );
  const dip = points.length > 1 ? `low of ${numberText(lowest.low)} at ${hourText(lowest.at)}` : undefined;
  const drop = lost && `${hourText(lost.at)} · ${numberText(lost.before)} to ${numberText(connected)}`;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(part => {
    const at = from + part * (to - from);
    return { at, text: part === 1 ? 'now' : hourText(at) };
  });
  return (
    <div className={css.chart} data-tone="ok">
      <p className={css.chartHead}>
        <b>Connected devices</b>
        <span className={drop && css.loss}>
          {drop ??
            dip ??
            (history.points ? 'Recording started just now' : error && `not loaded: ${error.message}`)}
        </span>
        {points.length > 1 && (
          <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
            {asTable ? 'As chart' : 'As table'}
          </Button>
        )}
      </p>
      {asTable ? (
        <ChartTable
          label="Connected devices"
          heads={['Until', 'Connected', 'Lowest']}
          rows={points
            .toReversed()
            .map(({ at, value, low }) => [hourText(at), numberText(value), numberText(low)])}
        />
      ) : (
        <AreaChart
          label={`Connected devices over the last 24 hours${(drop ?? dip) ? `, ${drop ?? dip}` : ''}`}
          points={shown}
          {...{ from, to, ticks }}
          topMin={total}
          troubleFrom={lost?.at}
        />
      )}
    </div>
  );
}
