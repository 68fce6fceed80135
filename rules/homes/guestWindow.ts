/** When a guest may: absolute bounds, and times of the week in the time zone of the home. All absent: always. */
export interface GuestWindow {
  from?: Date | undefined;
  until?: Date | undefined;
  weekly?: WeeklyWindow | undefined;
}

export interface WeeklyWindow {
  /** 1 is Monday. */
  days: readonly number[];
  /** `HH:MM`, the first minute of it. */
  from: string;
  /** `HH:MM`, the first minute after it; not later than `from`: of the next day. */
  to: string;
}

/** Whether a guest may now. A bound belongs to what begins with it. */
export function isWithinWindow(
  { from, until, weekly }: GuestWindow,
  { timeZone, now }: { timeZone: string; now: Date },
): boolean {
  if (from && now < from) return false;
  if (until && now >= until) return false;
  return weekly === undefined || isWithinWeek(weekly, clockOf(timeZone, now));
}

/**
 * By the clock on the wall: an hour that the clock skips in spring does not happen, and one that it repeats in autumn
 * happens twice.
 */
function isWithinWeek(
  { days, from, to }: WeeklyWindow,
  { day, time }: { day: number; time: string },
): boolean {
  const dayBefore = day === 1 ? 7 : day - 1;
  if (from < to) return days.includes(day) && from <= time && time < to;
  return (days.includes(day) && from <= time) || (days.includes(dayBefore) && time < to);
}

const formats = new Map<string, Intl.DateTimeFormat>();
const dayNumbers: Readonly<Record<string, number>> = {
  Mon: 1,
  Tue: 2,
  Wed: 3,
  Thu: 4,
  Fri: 5,
  Sat: 6,
  Sun: 7,
};

/** Day of the week and `HH:MM` in a time zone. */
function clockOf(timeZone: string, now: Date): { day: number; time: string } {
  const format = formats.get(timeZone) ?? formatOf(timeZone);
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return { day: dayNumbers[parts.weekday ?? ''] ?? 0, time: `${parts.hour}:${parts.minute}` };
}

/** Kept: there are some hundred zones, and making one costs a hundred times its use. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...{ weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  formats.set(timeZone, format);
  return format;
}
