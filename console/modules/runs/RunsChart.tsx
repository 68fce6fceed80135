import { Button } from '#console/ui/Button.tsx';
import { Bars } from '#console/ui/chart/Bars.tsx';
import { ChartTable } from '#console/ui/chart/ChartTable.tsx';
import { dayText, hourText, weekdayHourText } from '#console/ui/time/dateTexts.ts';
import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import type { ModuleFigures } from '#contract/moduleRun.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './runs.module.css';
import { runWord } from './runWords.ts';

interface RunsChartProps {
  figures: ModuleFigures;
  moduleType: ModuleTypeId;
  asTable: boolean;
  onTable: () => void;
}

/** Done and failed runs by hour, or by day for a month. */
export function RunsChart({ figures, moduleType, asTable, onTable }: RunsChartProps) {
  const { hours, range, done, failed } = figures;
  const words = [runWord('done', moduleType), runWord('failed', moduleType)] as const;
  const at = range === '24h' ? hourText : range === '7d' ? weekdayHourText : dayText;
  // An empty chart would only push down the text that says there is nothing.
  if (done + failed === 0) return null;
  const middle = hours[Math.floor(hours.length / 2)];
  return (
    <div className={css.chart}>
      {asTable ? (
        <ChartTable
          label="Runs"
          heads={[range === '30d' ? 'Day' : 'Hour', ...words]}
          rows={hours.toReversed().map(one => [at(one.hour), numberText(one.done), numberText(one.failed)])}
        />
      ) : (
        <Bars
          label={`${numberText(done)} ${words[0].toLowerCase()}, ${numberText(failed)} ${words[1].toLowerCase()}`}
          bars={hours.map(one => ({ label: at(one.hour), values: [one.done, one.failed] }))}
          ticks={[hours[0] ? at(hours[0].hour) : '', middle ? at(middle.hour) : '', 'now']}
        />
      )}
      <div className={css.legend}>
        <span data-part="done">{words[0]}</span>
        <span data-part="failed">{words[1]}</span>
        <Button variant="quiet" onClick={onTable}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
    </div>
  );
}
