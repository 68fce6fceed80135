import { pointsDefault, type Resolution } from '#contract/stateHistory.ts';
import { dayMs, hourMs, hourS } from '#rules/time/durations.ts';
import type { historyDays } from '#rules/time/retention.ts';

/** The retention of each resolution, in days. */
export type KeptDays = Record<keyof typeof historyDays, number>;

/** From the finest: the longest range, and the shortest step between points. */
const sources = [
  { resolution: 'raw', kept: 'raw', rangeMaxMs: 6 * hourMs, stepS: 1 },
  { resolution: 'fiveMinutes', kept: 'fiveMinute', rangeMaxMs: 10 * dayMs, stepS: 300 },
  { resolution: 'hours', kept: 'hourly', rangeMaxMs: Number.POSITIVE_INFINITY, stepS: hourS },
] as const;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Familiar steps: each divides a day or is a number of days. */
const stepsS = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map(n => n * minute),
  ...[1, 2, 3, 6, 12].map(n => n * hour),
  ...[1, 2, 7, 14, 28, 91, 364].map(n => n * day),
];

export interface Chosen {
  resolution: Resolution;
  stepS: number;
  begin: Date;
  end: Date;
  /** Values from before this time are not shown, because their retention has ended. */
  keptFrom: Date;
}

interface Asked {
  begin: Date;
  end: Date;
  now: Date;
  points?: number | undefined;
  kept: KeptDays;
  /** True if individual reports are not available, or too many. */
  withoutRaw?: boolean;
  /** For an export: allows a longer range. */
  rangeFactor?: number;
}

/** The finest source that covers the beginning of the range and allows its length, and the step between points. */
export function chooseResolution(asked: Asked): Chosen {
  const { begin, end, now, points = pointsDefault, kept, withoutRaw = false, rangeFactor = 1 } = asked;
  const rangeMs = end.getTime() - begin.getTime();
  const keptFrom = (days: number) => new Date(now.getTime() - days * dayMs);
  const [raw, minutes, hours] = sources;
  const fits = (source: typeof raw | typeof minutes) =>
    // A range that begins when the retention does still counts as covered.
    keptFrom(kept[source.kept]).getTime() <= begin.getTime() + hourMs &&
    rangeMs <= source.rangeMaxMs * rangeFactor;
  const source = !withoutRaw && fits(raw) ? raw : fits(minutes) ? minutes : hours;
  const leastS = Math.max(source.stepS, rangeMs / 1000 / points);
  const stepS = stepsS.find(step => step >= leastS) ?? 364 * day;
  return { resolution: source.resolution, stepS, begin, end, keptFrom: keptFrom(kept[source.kept]) };
}
