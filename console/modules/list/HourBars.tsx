import { hourText } from '#console/ui/time/dateTexts.ts';
import type { ModuleActivity } from '#contract/smartModule.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './list.module.css';

const height = 20;

/** A module's runs in each of the last 24 hours: done, with failed stacked above. */
export function HourBars({ hours, done, failed }: ModuleActivity) {
  const top = Math.max(1, ...hours.map(hour => hour.done + hour.failed));
  const width = hours.length * 5 - 1;
  return (
    <svg
      className={css.bars}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Last 24 hours: ${numberText(done)} done, ${numberText(failed)} failed`}
    >
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      {hours.map((hour, at) => {
        const high = (count: number) => (count === 0 ? 0 : Math.max(2, (count / top) * height));
        const ok = high(hour.done);
        const bad = Math.min(high(hour.failed), height - Math.min(ok, height - 2));
        return (
          <g key={hour.hour}>
            <title>{`${hourText(hour.hour)}: ${hour.done} done, ${hour.failed} failed`}</title>
            <rect className={css.reach} x={at * 5 - 0.5} y="0" width="5" height={height} />
            <rect className={css.done} x={at * 5} y={height - ok} width="4" height={ok} />
            <rect className={css.failed} x={at * 5} y={height - ok - bad} width="4" height={bad} />
          </g>
        );
      })}
    </svg>
  );
}
