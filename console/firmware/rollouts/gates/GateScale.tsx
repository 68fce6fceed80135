import { percentText } from '#console/firmware/rollouts/rolloutWords.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import css from './gates.module.css';

/**
 * The observed failure rate, the bounds between which the true rate very likely lies, and the threshold of the gate.
 */
export function GateScale({ seen, lower, upper, threshold }: RolloutReport['failures']) {
  const top = topOf(Math.max(threshold * 1.6, upper));
  const at = (percent: number) => `${(Math.min(percent, top) / top) * 100}%`;
  const isHigh = lower / top > 0.5;
  // Near the left edge there is room for one text only; the sentence below has both figures.
  const isCrowded = threshold / top < 0.45;
  return (
    <div className={css.scale} aria-hidden="true">
      <div className={css.scaleTop}>
        {!isCrowded && (
          <span style={isHigh ? { insetInlineEnd: `calc(100% - ${at(upper)})` } : { insetInlineStart: 0 }}>
            at least <b>{percentText(lower)}</b>
          </span>
        )}
        {(isCrowded || !isHigh) && (
          <span
            className={css.closes}
            style={{ insetInlineStart: `max(40px, ${at(threshold)})` }}
            data-center
          >
            pauses at {percentText(threshold)}
          </span>
        )}
      </div>
      <div className={css.scaleLine}>
        <span className={css.beyond} style={{ insetInlineStart: at(threshold) }} />
        <span
          className={css.interval}
          style={{ insetInlineStart: at(lower), insetInlineEnd: `calc(100% - ${at(upper)})` }}
        />
        <span className={css.threshold} style={{ insetInlineStart: at(threshold) }} />
        <span className={css.seen} style={{ insetInlineStart: at(seen) }} />
      </div>
      <div className={css.scaleFoot}>
        <span
          style={
            seen / top > 0.7
              ? { insetInlineEnd: 40 }
              : { insetInlineStart: `max(0px, calc(${at(seen)} - 34px))` }
          }
        >
          <b>{percentText(seen)}</b> seen
        </span>
        <span style={{ insetInlineEnd: 0 }}>{percentText(top)}</span>
      </div>
    </div>
  );
}

function topOf(percent: number): number {
  return [1, 2, 4, 8, 10, 15, 20, 30, 50].find(top => top >= percent) ?? 100;
}
