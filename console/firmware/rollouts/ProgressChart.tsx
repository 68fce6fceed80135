import { StackedArea } from '#console/ui/chart/StackedArea.tsx';
import { hourText, momentText } from '#console/ui/time/dateTexts.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import css from './rollouts.module.css';

type Progress = RolloutReport['progress'];

/** The numbers of devices updated, in progress and failed, over time. */
export function ProgressChart({
  progress,
  admitted,
  isMoving,
}: {
  progress: Progress;
  admitted: number;
  isMoving: boolean;
}) {
  const points = progress.map(({ at, updated, active, failed }) => ({
    at: Date.parse(at),
    values: [updated, active, failed],
  }));
  const from = points[0]?.at ?? 0;
  const to = points.at(-1)?.at ?? 0;
  const last = progress.at(-1);
  const say = (at: number) => (to - from < dayMs ? hourText(at) : momentText(at));
  const ticks = [0, 1 / 3, 2 / 3, 1]
    .map(part => from + part * (to - from))
    .map((at, n) => ({ at, text: n === 3 && isMoving ? 'now' : say(at) }))
    // In the first minutes all ticks would have the same text.
    .map((tick, n, all) => (tick.text === all[n - 1]?.text ? { ...tick, text: '' } : tick));
  return (
    <div className={css.chart}>
      <StackedArea
        label={`Devices since ${momentText(from)}: now ${last?.updated} updated, ${last?.active} in progress, ${last?.failed} failed`}
        points={points}
        tones={['ok', 'accent', 'danger']}
        whole={admitted}
        {...{ from, to, ticks }}
      />
    </div>
  );
}

/** The same in figures, newest first. */
export function ProgressTable({ progress }: { progress: Progress }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
    <section className={css.scroll} aria-label="Progress as a table" tabIndex={0}>
      <table aria-label="Progress">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Admitted</th>
            <th scope="col">Updated</th>
            <th scope="col">In progress</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {progress.toReversed().map(({ at, ...figures }) => (
            <tr key={at}>
              <td>{momentText(at)}</td>
              <td>{numberText(figures.admitted)}</td>
              <td>{numberText(figures.updated)}</td>
              <td>{numberText(figures.active)}</td>
              <td>{numberText(figures.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
