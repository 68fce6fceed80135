import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import type { LogCounts } from '#contract/logCounts.ts';
import { numberText } from '#rules/text/numberText.ts';

/** Why nothing is shown. */
export function noMatchesText(text: string | undefined, searchedTo: string | undefined): string {
  const what = text ? `No line says “${text}”` : 'No matches';
  return searchedTo ? `${what} since ${absoluteTime(searchedTo)}.` : `${what} in this period.`;
}

/** "27 hits in 12,418 lines" */
export function summaryText({ levels, hits, countedFrom }: LogCounts, filtered: boolean): string {
  const all = levels.reduce((sum, one) => sum + one, 0);
  const lines = `${numberText(all)} ${all === 1 ? 'line' : 'lines'}`;
  const found = filtered ? `${numberText(hits)} ${hits === 1 ? 'hit' : 'hits'} in ${lines}` : lines;
  return countedFrom === undefined
    ? found
    : `${found} since ${absoluteTime(countedFrom)}, older ones not counted`;
}
