import css from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { Sparkline } from '#console/ui/chart/Bars.tsx';
import { Figure, Figures } from '#console/ui/screen/FigureBand.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import type { ProxyRouteFigures } from '#contract/proxyCall.ts';
import { numberText } from '#rules/text/numberText.ts';

const names = ['Calls, 24 h', 'Median, slowest 5 %', 'Failed', 'Sockets in use'] as const;

/** The number of calls in the last 24 hours, their duration, and failures. */
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
          <Figure
            name={names[0]}
            value={
              <span className={css.spark}>
                {count(data.calls.count)}
                <Sparkline
                  points={data.byHour.map(({ calls }) => calls)}
                  label={`Calls, hour by hour; ${count(data.byHour.reduce((sum, { failed }) => sum + failed, 0))} failed`}
                />
              </span>
            }
          />
          <Figure name={names[1]} value={timesText(data.calls)} />
          <Figure name={names[2]} value={count(data.failed.count)} detail={failedText(data)} />
          <Figure
            name={names[3]}
            value={count(data.sockets.inUse)}
            detail={`of ${data.sockets.max}, ${data.sockets.waiting > 0 ? `${data.sockets.waiting} waiting` : 'none waiting'}`}
          />
        </Figures>
      ) : read.error ? (
        <div className={css.waiting}>
          <ReadState read={read} what="The figures" />
        </div>
      ) : (
        <Figures>
          {names.map((name, at) => (
            <Figure key={name} name={name} value="–" detail={at < 2 ? undefined : '\u00a0'} />
          ))}
        </Figures>
      )}
    </section>
  );
}

const count = (value: number) => numberText(value);
const ms = (value: number) => `${value < 10 ? value.toFixed(1) : numberText(Math.round(value))} ms`;

function timesText({ medianMs, p95Ms }: ProxyRouteFigures['calls']): string {
  return medianMs === undefined || p95Ms === undefined ? '–' : `${ms(medianMs)}, ${ms(p95Ms)}`;
}

function failedText({ calls, failed }: ProxyRouteFigures): string {
  const [most] = failed.byCode;
  if (!most)
    return calls.count > 0 ? `of ${calls.count === 1 ? '1 call' : `${count(calls.count)} calls`}` : '';
  const share = ((failed.count / calls.count) * 100).toFixed(1);
  return `${share} %, ${count(most.count)} of them ${most.code}`;
}
