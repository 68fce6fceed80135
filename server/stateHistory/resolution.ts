import { type historyDays, pointsDefault, type Resolution } from '#contract/stateHistory.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long a project keeps what, in days. */
export type KeptDays = Record<keyof typeof historyDays, number>;

/** From the finest: how long a range may be, and the least that a point sums up. */
const sources = [
  { resolution: 'raw', kept: 'raw', rangeMaxMs: 6 * hourMs, stepS: 1 },
  { resolution: 'fiveMinutes', kept: 'fiveMinute', rangeMaxMs: 10 * dayMs, stepS: 300 },
  { resolution: 'hours', kept: 'hourly', rangeMaxMs: Number.POSITIVE_INFINITY, stepS: 3600 },
] as const;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Steps that people know; each divides a day, or is days. */
const stepsS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map(n => n * minute),
  ...[1, 2, 3, 6, 12].map(n => n * hour),
  ...[1, 2, 7, 14, 28, 91, 364].map(n => n * day),
];

export interface Chosen {
  resolution: Resolution;
  stepS: number;
  begin: Date;
  end: Date;
  /** Nothing from before is shown: its time is over. */
  keptFrom: Date;
}

interface Asked {
  begin: Date;
  end: Date;
  now: Date;
  points?: number | undefined;
  kept: KeptDays;
  /** True: single reports are not to be had, or too many. */
  withoutRaw?: boolean;
  /** Of a file of all there is: the range may be longer. */
  rangeFactor?: number;
}

/** The finest source that reaches back to the begin and is not too much for the range, and the step of a point. */
export function chooseResolution(asked: Asked): Chosen {
  const { begin, end, now, points = pointsDefault, kept, withoutRaw = false, rangeFactor = 1 } = asked;
  const rangeMs = end.getTime() - begin.getTime();
  const keptFrom = (days: number) => new Date(now.getTime() - days * dayMs);
  const [raw, minutes, hours] = sources;
  const fits = (source: typeof raw | typeof minutes) =>
    // A range that begins where the record does is of its last days.
    keptFrom(kept[source.kept]).getTime() <= begin.getTime() + hourMs &&
    rangeMs <= source.rangeMaxMs * rangeFactor;
  const source = !withoutRaw && fits(raw) ? raw : fits(minutes) ? minutes : hours;
  const leastS = Math.max(source.stepS, rangeMs / 1000 / points);
  const stepS = stepsS.find(step => step >= leastS) ?? 364 * day;
  return { resolution: source.resolution, stepS, begin, end, keptFrom: keptFrom(kept[source.kept]) };
}
