import { Readable } from 'node:stream';
import type { HistorySeries } from '#contract/stateHistory.ts';
import type { RawAnswer } from '#server/api/endpoints/answer.ts';
import { csvLine, lineEnd } from '#server/infra/csv.ts';

/** A line for each step with a report, sent as they are read. */
export function historyCsv(
  name: string,
  { begin, end }: { begin: Date; end: Date },
  series: AsyncIterable<HistorySeries>,
): RawAnswer {
  const [from, to] = [begin, end].map(time => time.toISOString().slice(0, 10));
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    filename: `${name}-${from}-${to}.csv`,
    body: Readable.from(linesOf(series), { objectMode: false }),
  };
}

async function* linesOf(series: AsyncIterable<HistorySeries>): AsyncGenerator<string> {
  yield csvLine(['time', 'property', 'minimum', 'mean', 'maximum', 'reports']);
  for await (const { property, points } of series)
    for (const { at, min, mean, max, count } of points) {
      // A negative number is not a formula.
      const names = csvLine([at, property]).slice(0, -lineEnd.length);
      yield `${names},${[min, mean, max, count].join(',')}${lineEnd}`;
    }
}
