import type { AlertSeverity } from '#contract/alert.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './groups.module.css';

/** How many alerts were raised in each of the last 24 hours, as bars without a scale. */
export function RaisedBars({ hours, severity }: { hours: readonly number[]; severity: AlertSeverity }) {
  const top = Math.max(1, ...hours);
  const all = hours.reduce((sum, one) => sum + one, 0);
  const step = 144 / hours.length;
  return (
    <svg
      className={css.bars}
      viewBox="0 0 144 20"
      role="img"
      aria-label={`Raised in the last 24 h: ${numberText(all)}`}
      data-severity={severity}
    >
      <line x1="0" x2="144" y1="19.5" y2="19.5" />
      {hours.map((count, at) => {
        const height = count === 0 ? 0 : Math.max(3, (count / top) * 18);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours are identified by position
          <rect key={at} x={at * step + 1} y={19 - height} width={step - 2} height={height} />
        );
      })}
    </svg>
  );
}
