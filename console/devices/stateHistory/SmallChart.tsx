import { BandChart } from '#console/ui/chart/BandChart.tsx';
import { rangeScale } from '#console/ui/chart/scale.ts';
import type { HistorySeries, StateHistory } from '#contract/stateHistory.ts';
import type { HistoryRange } from './historyRange.ts';
import { type Meaning, runsOf, summaryOf, valueText } from './historySeries.ts';
import css from './stateHistory.module.css';

interface SmallChartProps {
  series: HistorySeries;
  history: StateHistory;
  range: HistoryRange;
  meaning: Meaning;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** An overview of one number; a press opens it in detail. */
export function SmallChart({ series, history, range, meaning, isOpen, onOpen }: SmallChartProps) {
  const { min, mean, max } = summaryOf(series);
  const { bottom, top } = meaning.isBoolean ? { bottom: 0, top: 1 } : rangeScale(min, max);
  const span = meaning.isBoolean ? 'of reports true' : spanText(min, max, meaning);
  return (
    <li>
      <button
        type="button"
        className={css.tile}
        aria-expanded={isOpen}
        title={meaning.title}
        onClick={() => onOpen(!isOpen)}
      >
        <code>{series.property}</code>
        <b>{valueText(mean, meaning, max - min)}</b>
        <span className={css.between}>{span}</span>
        <BandChart
          label={`${series.property} in ${range.words}`}
          runs={runsOf(series, history, meaning)}
          {...{ bottom, top }}
          from={range.from}
          to={range.to}
        />
      </button>
    </li>
  );
}

/** "20.1 to 22.4"; one number if the value never changed. */
function spanText(min: number, max: number, meaning: Meaning): string {
  if (min === max) return 'unchanged';
  const [low, high] = [min, max].map(value => valueText(value, { ...meaning, unit: undefined }, max - min));
  return `${low} to ${high}`;
}
