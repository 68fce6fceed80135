import { hourText } from '#console/ui/time/dateTexts.ts';
import type { RuleReplay } from '#contract/ruleReplay.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './replay.module.css';

const width = 720;
const above = 70;
const belowMax = 26;

/** Hits by hour: unchanged and new hits stacked, and below the line those that would vanish. */
export function ReplayChart({ replay, isCompared }: { replay: RuleReplay; isCompared: boolean }) {
  const { hits, hours, held, hitDevices, devicesTotal, errors, error } = replay;
  const total = hits.same + hits.new - held;
  return (
    <div className={css.chart}>
      <div className={css.figures}>
        <p>
          <b>{total === 1 ? 'Would act once' : `Would act ${numberText(total)} times`}</b>
          {isCompared && <span> saved rule: {numberText(hits.same + hits.gone)}</span>}
        </p>
        <dl data-plain>
          <div>
            <dt>on {hitDevices === 1 ? '1 device' : `${numberText(hitDevices)} devices`}</dt>
            <dd>of {numberText(devicesTotal)}</dd>
          </div>
          {held > 0 && (
            <div>
              <dt>held back, too soon after another</dt>
              <dd>{numberText(held)}</dd>
            </div>
          )}
        </dl>
        {isCompared && (
          <dl>
            <Count kind="same" label="as before" count={hits.same} />
            <Count kind="new" label="new with this change" count={hits.new} />
            <Count kind="gone" label="no longer a hit" count={hits.gone} />
          </dl>
        )}
        {errors > 0 && (
          <p className={css.bad}>
            {numberText(errors)} could not be evaluated{error && `: ${error}`}
          </p>
        )}
      </div>
      <HourChart hours={hours} isCompared={isCompared} label={`Would act ${total} times in 24 hours`} />
    </div>
  );
}

function Count({ kind, label, count }: { kind: string; label: string; count: number }) {
  return (
    <div>
      <dt data-kind={kind}>{label}</dt>
      <dd>{numberText(count)}</dd>
    </div>
  );
}

type HourChartProps = Pick<RuleReplay, 'hours'> & { label: string; isCompared: boolean };

function HourChart({ hours, label, isCompared }: HourChartProps) {
  // Without a comparison, there is nothing below the line.
  const below = isCompared ? belowMax : 1;
  const top = Math.max(1, ...hours.map(hour => hour.same + hour.new));
  const deep = Math.max(1, ...hours.map(({ gone }) => gone));
  const step = width / Math.max(1, hours.length);
  const first = hours[0];
  const middle = hours[Math.floor(hours.length / 2)];
  return (
    <figure className={css.hours}>
      <svg viewBox={`0 0 ${width} ${above + below}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <line x1="0" x2={width} y1={above + 0.5} y2={above + 0.5} />
        {hours.map((hour, at) => {
          const x = at * step + step * 0.08;
          const high = (count: number) => (count === 0 ? 0 : Math.max(3, (count / top) * above));
          const same = high(hour.same);
          const fresh = Math.min(high(hour.new), above - Math.min(same, above - 3));
          const gone = hour.gone === 0 ? 0 : Math.max(5, (hour.gone / deep) * (below - 4));
          return (
            <g key={hour.hour}>
              <title>{`${hourText(hour.hour)}: ${isCompared ? `${hour.same} as before, ${hour.new} new, ${hour.gone} no longer` : hour.new}`}</title>
              <rect className={css.reach} x={at * step} y="0" width={step} height={above + below} />
              <rect data-kind="same" x={x} y={above - same} width={step * 0.84} height={same} />
              <rect
                data-kind={isCompared ? 'new' : 'same'}
                x={x}
                y={above - same - fresh}
                width={step * 0.84}
                height={fresh}
              />
              {gone > 0 && <rect data-kind="gone" x={x} y={above + 3} width={step * 0.84} height={gone} />}
            </g>
          );
        })}
      </svg>
      <figcaption aria-hidden="true">
        <span>{first && hourText(first.hour)}</span>
        <span>{middle && hourText(middle.hour)}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
