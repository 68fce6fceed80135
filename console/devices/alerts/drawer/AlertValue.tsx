import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { type HistoryRange, ticksOf } from '#console/devices/stateHistory/historyRange.ts';
import {
  type Meaning,
  meaningsOf,
  runsOf,
  summaryOf,
  valueText,
} from '#console/devices/stateHistory/historySeries.ts';
import { useHistory } from '#console/devices/stateHistory/useHistory.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { BandChart } from '#console/ui/chart/BandChart.tsx';
import { rangeScale } from '#console/ui/chart/scale.ts';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { hourText } from '#console/ui/time/dateTexts.ts';
import type { AlertDetail } from '#contract/alert.ts';
import { readDeviceClass } from '#contract/deviceClass.ts';
import { readSmartModule } from '#contract/smartModule.ts';
import type { HistoryPoint, HistorySeries, StateHistory } from '#contract/stateHistory.ts';
import { hourMs } from '#rules/time/durations.ts';
import { AlertPresence } from './AlertPresence.tsx';
import css from './drawer.module.css';
import { type NumberInRule, numberInRule } from './numberInRule.ts';

const points = 120;

/**
 * What the device was like an hour before and after the alert: the number that the rule looks at, or, where there is
 * none, whether the device was connected.
 */
export function AlertValue({ projectId, alert }: { projectId: string; alert: AlertDetail }) {
  const { source } = alert;
  const moduleId = source.kind === 'module' ? source.moduleId : '';
  const params = { projectId, moduleId };
  const rule = useRead(readSmartModule, { params }, { enabled: moduleId !== '' });
  if (moduleId !== '' && rule.isPending) return <Skeleton lines={5} />;
  const number = numberInRule(rule.data?.configData.condition);
  return number ? <NumberAround alert={alert} number={number} /> : <AlertPresence alert={alert} />;
}

function around({ raisedAt }: Pick<AlertDetail, 'raisedAt'>): HistoryRange {
  const at = Date.parse(raisedAt);
  return { span: 'custom', from: at - hourMs, to: at + hourMs, words: 'an hour either side' };
}

const unknown: Meaning = { unit: undefined, title: undefined, isBoolean: false };

function NumberAround({ alert, number }: { alert: AlertDetail; number: NumberInRule }) {
  const { deviceId, projectId, deviceClass } = alert;
  const range = around(alert);
  const read = useHistory({ deviceId }, { range, property: number.property, points });
  const ofClass = useRead(readDeviceClass, classInput(projectId, deviceClass));
  const schema = ofClass.data?.stateSchema;
  const series = read.data?.series[0];
  if (!read.data) return read.error ? null : <Skeleton lines={5} />;
  if (!series || series.points.length === 0) return <AlertPresence alert={alert} />;
  const meaning = meaningsOf(schema).get(number.property) ?? unknown;
  return (
    <section className={css.value} aria-label={`History of ${number.property}`}>
      <header className={css.head}>
        <h3>{meaning.title ?? <code>{number.property}</code>}</h3>
        <span>{range.words}</span>
        <Link
          to="/projects/$projectId/devices/$deviceId"
          params={{ projectId, deviceId }}
          search={
            {
              history: 'custom',
              from: new Date(range.from).toISOString(),
              to: new Date(range.to).toISOString(),
              number: number.property,
            } as never
          }
        >
          Open history
        </Link>
      </header>
      <Chart {...{ alert, number, series, meaning, range }} history={read.data} />
      <Figures {...{ alert, number, series, meaning }} />
    </section>
  );
}

interface ShownProps {
  alert: AlertDetail;
  number: NumberInRule;
  series: HistorySeries;
  meaning: Meaning;
}

function Chart(props: ShownProps & { range: HistoryRange; history: StateHistory }) {
  const { alert, number, series, meaning, range, history } = props;
  const { min, max } = summaryOf(series);
  const { limit } = number;
  const ends = limit ? [limit.value, min, max] : [min, max];
  const scale = meaning.isBoolean
    ? { bottom: 0, top: 1, marks: [1, 0.5, 0] }
    : rangeScale(Math.min(...ends), Math.max(...ends));
  const { bottom, top, marks } = scale;
  return (
    <BandChart
      label={`${series.property} ${range.words}`}
      runs={runsOf(series, history, meaning)}
      {...{ bottom, top }}
      from={range.from}
      to={range.to}
      marks={marks.map(value => ({ value, text: valueText(value, meaning, top - bottom) }))}
      ticks={ticksOf(range)}
      moment={{ at: Date.parse(alert.raisedAt), text: 'raised' }}
      {...(limit && { limit: { ...limit, text: `${limit.side} ${valueText(limit.value, meaning)}` } })}
    />
  );
}

/** The value at the time, the furthest since, and the latest of that hour. */
function Figures({ alert, number, series, meaning }: ShownProps) {
  const raisedAt = Date.parse(alert.raisedAt);
  const before = series.points.filter(({ at }) => Date.parse(at) <= raisedAt);
  const since = series.points.filter(({ at }) => Date.parse(at) >= raisedAt);
  const isBelow = number.limit?.side === 'below';
  const furthest = since.reduce<HistoryPoint | undefined>((best, one) => {
    if (!best) return one;
    return (isBelow ? one.min < best.min : one.max > best.max) ? one : best;
  }, undefined);
  const raised = before.at(-1) ?? since[0];
  const last = since.at(-1);
  const shown: [string, number, string][] = [];
  if (last) shown.push(['Latest', last.mean, last.at]);
  if (raised) shown.push(['When raised', raised.mean, raised.at]);
  if (furthest)
    shown.push([
      isBelow ? 'Lowest since' : 'Highest since',
      isBelow ? furthest.min : furthest.max,
      furthest.at,
    ]);
  return (
    <dl className={css.figures}>
      {shown.map(([name, value, at]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{valueText(value, meaning)}</b>
            <time dateTime={at}>{hourText(Date.parse(at))}</time>
          </dd>
        </div>
      ))}
    </dl>
  );
}
