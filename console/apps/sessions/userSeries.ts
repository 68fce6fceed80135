import type { AreaPoint } from '#console/ui/chart/AreaChart.tsx';
import { hourText, utcDayText } from '#console/ui/time/dateTexts.ts';
import type { AppFigures } from '#contract/app.ts';
import { dayMs, hourMs } from '#rules/time/durations.ts';

/** However new an app is, its chart shows a week. */
const daysMin = 7;

export interface Series {
  points: AreaPoint[];
  /** The label for the time of a point. */
  text: (at: number) => string;
}

/** Distinct users by day, for 30 days or since the app was created; days without users are zero. Days are in UTC. */
export function usersByDay({ usersByDay: days }: AppFigures, createdAt: string, now: number): Series {
  const users = new Map(days.map(one => [Date.parse(one.day), one.users]));
  const today = Math.floor(now / dayMs);
  const age = today - Math.floor(Date.parse(createdAt) / dayMs) + 1;
  const count = Math.min(30, Math.max(daysMin, age));
  return {
    points: seriesOf(today - count + 1, count, dayMs, users),
    text: utcDayText,
  };
}

/** The same by hour, of 24 hours. */
export function usersByHour({ usersByHour: hours }: AppFigures, now: number): Series {
  const users = new Map(hours.map(one => [Date.parse(one.hour), one.users]));
  return {
    points: seriesOf(Math.floor(now / hourMs) - 23, 24, hourMs, users),
    text: hourText,
  };
}

function seriesOf(
  first: number,
  count: number,
  stepMs: number,
  users: ReadonlyMap<number, number>,
): AreaPoint[] {
  return Array.from({ length: count }, (_, i) => {
    const at = (first + i) * stepMs;
    return { at, value: users.get(at) ?? 0 };
  });
}
