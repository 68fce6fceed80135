import { useState } from 'react';
import { Button, buttonClass, IconButton } from '#console/ui/Button.tsx';
import { BandChart } from '#console/ui/chart/BandChart.tsx';
import { ChartTable } from '#console/ui/chart/ChartTable.tsx';
import { rangeScale } from '#console/ui/chart/scale.ts';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { DownloadIcon } from '#console/ui/icons/icons.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { pathOf } from '#contract/client.ts';
import {
  exportClassStateHistory,
  exportDeviceStateHistory,
  type HistorySeries,
  type StateHistory,
} from '#contract/stateHistory.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayS, hourS } from '#rules/time/durations.ts';
import { type HistoryRange, pointText, ticksOf } from './historyRange.ts';
import { type Meaning, runsOf, summaryOf, valueText } from './historySeries.ts';
import { RankedDevices } from './RankedDevices.tsx';
import css from './stateHistory.module.css';
import { type HistorySource, useHistory } from './useHistory.ts';

interface LargeChartProps {
  source: HistorySource;
  range: HistoryRange;
  property: string;
  meaning: Meaning;
  onClose: () => void;
}

const points = 300;

/** One number in detail: minimum to maximum as a band, the mean as a line, and the same as a table or a file. */
export function LargeChart({ source, range, property, meaning, onClose }: LargeChartProps) {
  const read = useHistory(source, { range, property, points });
  const [asTable, setAsTable] = useState(false);
  const series = read.data?.series[0];
  return (
    <section className={css.large} aria-label={`History of ${property}`}>
      <header className={css.head}>
        <h3>
          <code>{property}</code>
          {meaning.title && <span className={css.title}>{meaning.title}</span>}
        </h3>
        {series && (
          <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as chart' : 'Show as table'}
          </Button>
        )}
        {series && (
          <a className={buttonClass('quiet')} href={csvOf(source, property, range)} download>
            <DownloadIcon />
            CSV
          </a>
        )}
        <IconButton label={`Close the chart of ${property}`} onClick={onClose}>
          <CloseIcon size={14} />
        </IconButton>
      </header>
      <ReadState
        read={read}
        what={`The history of ${property}`}
        skeleton={<div className={css.waitingLarge} />}
      />
      {read.data && !series && <p className={css.none}>Not reported in {range.words}.</p>}
      {read.data && series && asTable && <Table {...{ series, range, meaning }} />}
      {read.data && series && !asTable && <Chart {...{ series, range, meaning }} history={read.data} />}
      {'classId' in source && <RankedDevices {...source} {...{ property, meaning }} />}
    </section>
  );
}

interface ShownProps {
  series: HistorySeries;
  range: HistoryRange;
  meaning: Meaning;
}

function Chart({ series, range, meaning, history }: ShownProps & { history: StateHistory }) {
  const [pointedAt, setPointedAt] = useState<number>();
  const runs = runsOf(series, history, meaning);
  const { min, mean, max, count } = summaryOf(series);
  const { bottom, top, marks } = meaning.isBoolean ? ofShares : rangeScale(min, max);
  const nearest = pointedAt === undefined ? undefined : nearestTo(runs.flat(), pointedAt);
  const text = (value: number) => valueText(value, meaning, max - min);
  const spread = meaning.isBoolean ? 'of reports true' : `on average, from ${text(min)} to ${text(max)}`;
  const begin = nearest && nearest.at - (history.stepS * 1000) / 2;
  return (
    <>
      <p className={css.read}>
        {nearest && begin !== undefined ? (
          <>
            <b>{text(nearest.mean)}</b> {pointText(begin, range)}
            {nearest.min < nearest.max && `, from ${text(nearest.min)} to ${text(nearest.max)}`}
          </>
        ) : (
          <>
            <b>{text(mean)}</b> {spread}; {numberText(count)} {count === 1 ? 'report' : 'reports'},{' '}
            {stepWords(history)}
          </>
        )}
      </p>
      <BandChart
        label={`${series.property} in ${range.words}: ${text(mean)} ${spread}`}
        runs={runs}
        {...{ bottom, top }}
        from={range.from}
        to={range.to}
        marks={marks.map(value => ({ value, text: valueText(value, meaning, top - bottom) }))}
        ticks={ticksOf(range)}
        chosen={nearest}
        onPoint={setPointedAt}
      />
    </>
  );
}

const ofShares = { bottom: 0, top: 1, marks: [1, 0.5, 0] };

function Table({ series, range, meaning }: ShownProps) {
  const { min: least, max: most } = summaryOf(series);
  const text = (value: number) => valueText(value, meaning, most - least);
  return (
    <ChartTable
      label={series.property}
      heads={['From', 'Mean', 'Minimum', 'Maximum', 'Reports']}
      rows={series.points
        .toReversed()
        .map(({ at, mean, min, max, count }) => [
          pointText(Date.parse(at), range),
          ...[mean, min, max].map(text),
          numberText(count),
        ])}
    />
  );
}

function nearestTo<T extends { at: number }>(all: readonly T[], at: number): T | undefined {
  return all.reduce<T | undefined>(
    (best, one) => (best === undefined || Math.abs(one.at - at) < Math.abs(best.at - at) ? one : best),
    undefined,
  );
}

/** "a point every 5 minutes" */
function stepWords({ stepS }: StateHistory): string {
  const [size, word] =
    stepS >= dayS
      ? [dayS, 'day']
      : stepS >= hourS
        ? [hourS, 'hour']
        : stepS >= 60
          ? [60, 'minute']
          : [1, 'second'];
  const count = stepS / size;
  return count === 1 ? `a point every ${word}` : `a point every ${count} ${word}s`;
}

function csvOf(source: HistorySource, property: string, { from, to }: HistoryRange): string {
  const query = { property, begin: new Date(from).toISOString(), end: new Date(to).toISOString() };
  const [path, whose] =
    'deviceId' in source
      ? [pathOf(exportDeviceStateHistory, source), {}]
      : [pathOf(exportClassStateHistory, { classId: source.classId }), { projectId: source.projectId }];
  return `/api${path}?${new URLSearchParams({ ...whose, ...query })}`;
}
