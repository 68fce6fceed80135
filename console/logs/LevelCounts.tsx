import { useUrlState } from '#console/core/urlState.ts';
import { Segments } from '#console/ui/screen/Segments.tsx';
import type { LogCounts } from '#contract/logCounts.ts';
import { numberText } from '#rules/text/numberText.ts';
import type { LogWords } from './logWords.ts';

/** The levels to choose from, each with the number of its entries in the whole period. */
export function LevelCounts({ counts, words }: { counts: LogCounts | undefined; words: LogWords }) {
  const [url, change] = useUrlState();
  const options = words.levels.map(({ value, label }) => ({
    value,
    label: counts ? `${label} ${upTo(counts, value)}` : label,
  }));
  return (
    <Segments<string>
      label={words.level}
      options={options}
      // An address may name a level that is not among them.
      chosen={url.level ?? ''}
      onChange={level => change({ level, pages: undefined })}
    />
  );
}

function upTo({ levels, countedFrom }: LogCounts, level: string): string {
  const counted = level === '' ? levels : levels.slice(0, Number(level) + 1);
  return numberText(counted.reduce((sum, one) => sum + one, 0)) + (countedFrom === undefined ? '' : '+');
}
