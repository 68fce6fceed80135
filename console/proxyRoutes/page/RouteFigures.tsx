import css from '#console/proxyRoutes/proxyRoutes.module.css';
import { Bars } from '#console/ui/chart/Bars.tsx';
import { Figure, Figures } from '#console/ui/screen/FigureBand.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { ProxyRouteFigures } from '#contract/proxyCall.ts';

/** What passed in the last 24 hours, how fast, and what failed. */
export function RouteFigures({
  read,
}: {
  read: ReadStateProps['read'] & { data: ProxyRouteFigures | undefined };
}) {
  const { data } = read;
  return (
    <section className={css.vitals} aria-label="Last 24 hours">
      {data ? (
        <Figures>
          <Figure name="Calls, 24 h" value={count(data.calls.count)} detail={<Spark figures={data} />} />
          <Figure name="Median, slowest 5 %" value={timesText(data.calls)} />
          <Figure name="Failed" value={count(data.failed.count)} detail={failedText(data)} />
          <Figure
            name="Sockets in use"
            value={count(data.sockets.inUse)}
            detail={`of ${data.sockets.max}, ${data.sockets.waiting > 0 ? `${data.sockets.waiting} waiting` : 'none waiting'}`}
          />
        </Figures>
      ) : (
        <div className={css.waiting}>
          <ReadState read={read} what="The figures" skeleton={<Skeleton lines={2} />} />
        </div>
      )}
    </section>
  );
}

const count = (value: number) => value.toLocaleString('en');
const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ms`;

function timesText({ medianMs, p95Ms }: ProxyRouteFigures['calls']): string {
  return medianMs === undefined || p95Ms === undefined ? '–' : `${ms(medianMs)}, ${ms(p95Ms)}`;
}

function failedText({ calls, failed }: ProxyRouteFigures): string {
  const [most] = failed.byCode;
  if (!most) return calls.count > 0 ? 'none of them' : '';
  const share = ((failed.count / calls.count) * 100).toFixed(1);
  return `${share} %, ${count(most.count)} of them ${most.code}`;
}

const hourOf = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function Spark({ figures: { byHour } }: { figures: ProxyRouteFigures }) {
  const bars = byHour.map(({ hour, calls }) => ({ label: hourOf.format(new Date(hour)), values: [calls] }));
  const failed = byHour.reduce((sum, one) => sum + one.failed, 0);
  return (
    <span className={css.spark}>
      <Bars label={`Calls by hour; ${count(failed)} failed`} bars={bars} ticks={['', '', '']} />
    </span>
  );
}
