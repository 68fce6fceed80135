import { Readable } from 'node:stream';
import type { StateHistory } from '#contract/stateHistory.ts';
import type { RawAnswer } from '#server/endpoints/answer.ts';
import { csvLine } from '#server/http/csvCells.ts';

/** A line for each step with a report. */
export function historyCsv(
  name: string,
  { begin, end, series }: Pick<StateHistory, 'begin' | 'end' | 'series'>,
): RawAnswer {
  const lines = series.flatMap(({ property, points }) =>
    points.map(({ at, min, mean, max, count }) => {
      // A negative number is not a formula.
      const names = csvLine([at, property]).trimEnd();
      return `${names},${[min, mean, max, count].join(',')}\r\n`;
    }),
  );
  const [from, to] = [begin, end].map(time => time.slice(0, 10));
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    filename: `${name}-${from}-${to}.csv`,
    body: Readable.from([csvLine(['time', 'property', 'minimum', 'mean', 'maximum', 'reports']), ...lines]),
  };
}
