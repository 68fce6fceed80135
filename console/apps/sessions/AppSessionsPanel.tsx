import { useState } from 'react';
import css from '#console/apps/apps.module.css';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { AreaChart } from '#console/ui/chart/AreaChart.tsx';
import { ChartTable } from '#console/ui/chart/ChartTable.tsx';
import { niceTop } from '#console/ui/chart/scale.ts';
import { Figure, Figures } from '#console/ui/screen/FigureBand.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { App, AppFigures } from '#contract/app.ts';
import { numberText } from '#rules/text/numberText.ts';
import { NoUsersYet } from './NoUsersYet.tsx';
import { type Series, usersByDay, usersByHour } from './userSeries.ts';

const spans = [
  { value: '24h', label: '24 h' },
  { value: '30d', label: '30 d' },
] as const;
type Span = (typeof spans)[number]['value'];

interface AppSessionsPanelProps {
  app: App;
  read: ReadStateProps['read'] & { data: AppFigures | undefined };
}

/** How much the app is used, and by how many users. */
export function AppSessionsPanel({ app, read }: AppSessionsPanelProps) {
  const [{ users }, setUrl] = useUrlState();
  const [asTable, setAsTable] = useState(false);
  const span: Span = users === '24h' ? '24h' : '30d';
  const { data: figures } = read;
  if (figures && isUnused(figures)) return <NoUsersYet app={app} />;
  return (
    <Panel
      title="Sessions"
      flush
      action={
        <>
          <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as chart' : 'Show as table'}
          </Button>
          <Segments
            label="Time range"
            options={spans}
            chosen={span}
            onChange={value => setUrl({ users: value === '30d' ? undefined : value }, { replace: true })}
          />
        </>
      }
    >
      {figures ? (
        <>
          <SessionFigures figures={figures} />
          <Users app={app} figures={figures} span={span} asTable={asTable} />
        </>
      ) : (
        <div className={css.waiting}>
          <ReadState read={read} what="The figures" skeleton={<Skeleton lines={9} unsized />} />
        </div>
      )}
    </Panel>
  );
}

function isUnused({ openSessions, ended, calls, usersByDay: days }: AppFigures): boolean {
  const had = openSessions + calls.count + sum(Object.values(ended)) + sum(days.map(({ users }) => users));
  return had === 0;
}

function SessionFigures({ figures }: { figures: AppFigures }) {
  const { activeSessions, openStreams, openSessions, users, ended, calls } = figures;
  return (
    <Figures>
      <Figure
        name="Active now"
        value={figure(activeSessions)}
        detail={openStreams > 0 ? `${figure(openStreams)} with an open stream` : 'no open streams'}
      />
      <Figure
        name="Open sessions"
        value={figure(openSessions)}
        detail={`of ${users === 1 ? '1 user' : `${figure(users)} users`}`}
      />
      <Figure name="Ended in 30 days" value={figure(sum(Object.values(ended)))} detail={endedText(ended)} />
      <Figure
        name="App calls, 24 h"
        value={figure(calls.count)}
        detail={calls.medianMs === undefined ? 'no calls yet' : `${msText(calls.medianMs)} median`}
      />
    </Figures>
  );
}

/** "11 signed out, 7 expired, 1 reused": how sessions ended, leaving out ways that did not occur. */
function endedText({ signedOut, expired, reused, ended }: AppFigures['ended']): string {
  const ways = [
    [signedOut, 'signed out'],
    [expired, 'expired'],
    [reused, 'reused'],
    [ended, 'ended by others'],
  ] as const;
  const text = ways.filter(([count]) => count > 0).map(([count, word]) => `${figure(count)} ${word}`);
  return text.join(', ');
}

interface UsersProps {
  app: App;
  figures: AppFigures;
  span: Span;
  asTable: boolean;
}

function Users({ app, figures, span, asTable }: UsersProps) {
  const now = useNow();
  const isByDay = span === '30d';
  const series = isByDay ? usersByDay(figures, app.createdAt, now) : usersByHour(figures, now);
  const unit = isByDay ? 'Users a day' : 'Users an hour';
  return (
    <div className={css.chart}>
      <h3>{unit}</h3>
      {asTable ? (
        <ChartTable
          label={unit}
          heads={[isByDay ? 'Day, UTC' : 'Hour', 'Users']}
          rows={series.points.toReversed().map(({ at, value }) => [series.text(at), figure(value)])}
        />
      ) : (
        <UsersChart label={unit} series={series} last={isByDay ? 'today' : 'now'} />
      )}
    </div>
  );
}

function UsersChart({ label, series, last }: { label: string; series: Series; last: string }) {
  const { points, text } = series;
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  const most = Math.max(...points.map(({ value }) => value));
  const step = Math.round((points.length - 1) / 4);
  // The tick before the last one leaves room for it.
  const named = points.filter((_, at) => at % step === 0 && at <= points.length - 1 - step / 2);
  const ticks = [...named.map(({ at }) => ({ at, text: text(at) })), { at: to, text: last }];
  return (
    <AreaChart
      label={`${label}, at most ${figure(most)}, ${last} ${figure(points.at(-1)?.value ?? 0)}`}
      points={points}
      {...{ from, to, ticks }}
      topMin={niceTop(most)}
    />
  );
}

const figure = (value: number) => numberText(value);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const msText = (ms: number) => (ms < 1 ? '< 1 ms' : `${figure(Math.round(ms))} ms`);
