import { dayText, hourText, momentText, weekdayHourText } from '#console/ui/time/dateTexts.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import type { CountedRange } from './useLogCounts.ts';

/** What one level, or several, are called in a log: "1 warning", "3 warnings". */
export interface LevelWords {
  all: readonly [one: string, many: string];
  warnings: readonly [one: string, many: string];
  errors: readonly [one: string, many: string];
}

const counted = (count: number, [one, many]: readonly [string, string]) =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** "08:00 to 08:15: 124 lines, 3 warnings, 1 error" */
export function partText(
  { begin, end }: { begin: number; end: number },
  levels: readonly number[],
  words: LevelWords,
): string {
  const [errors = 0, warnings = 0] = levels;
  const all = levels.reduce((sum, one) => sum + one, 0);
  const sorts = [
    counted(all, words.all),
    ...(warnings ? [counted(warnings, words.warnings)] : []),
    ...(errors ? [counted(errors, words.errors)] : []),
  ];
  return `${spanText(begin, end)}: ${sorts.join(', ')}`;
}

/** "08:00 to 08:15", with the day if it is not the same for both. */
function spanText(begin: number, end: number): string {
  const sameDay = new Date(begin).toDateString() === new Date(end - 1).toDateString();
  return `${momentText(begin)} to ${sameDay ? hourText(end) : momentText(end)}`;
}

const ticksMax = 7;
const tickSteps = [1, 5, 15, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 10_080, 20_160, 43_200, 87_600];

/** Round times below the chart, as shares of its width; the last one is "now" if the range ends now. */
export function ticksOf(
  { begin, end }: Pick<CountedRange, 'begin' | 'end'>,
  endsNow: boolean,
): { at: number; text: string }[] {
  const ms = end - begin;
  const step = (tickSteps.find(minutes => ms / (minutes * minuteMs) <= ticksMax) ?? ms / minuteMs) * minuteMs;
  const format = step >= dayMs ? dayText : ms <= 1.5 * dayMs ? hourText : weekdayHourText;
  const midnight = new Date(begin).setHours(0, 0, 0, 0);
  const first = midnight + Math.ceil((begin - midnight) / step) * step;
  const times = Array.from(
    { length: Math.max(0, Math.ceil((end - first) / step)) },
    (_, i) => first + i * step,
  );
  return [
    ...times
      .map(time => ({ at: (time - begin) / ms, text: format(time) }))
      .filter(({ at }) => at < roomForLast),
    { at: 1, text: endsNow ? 'now' : format(end) },
  ];
}

/** A tick further right would touch the last one. */
const roomForLast = 0.93;

/** The levels of each part, also of those without entries. */
export function partsOf({ counts, begin, end }: CountedRange): readonly (readonly number[])[] {
  const parts = new Map(
    counts.parts.map(part => [Math.round((Date.parse(part.begin) - begin) / counts.stepMs), part.levels]),
  );
  const length = Math.max(1, Math.ceil((end - begin) / counts.stepMs));
  return Array.from({ length }, (_, at) => parts.get(at) ?? []);
}

/** The entries of several parts, by level. */
export function sumOf(parts: readonly (readonly number[])[]): readonly number[] {
  return [0, 1, 2, 3].map(level => parts.reduce((sum, levels) => sum + (levels[level] ?? 0), 0));
}
