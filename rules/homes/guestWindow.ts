/** When a guest has access: absolute bounds, and times of the week in the time zone of the home. All absent: always. */
export interface GuestWindow {
  from?: Date | undefined;
  until?: Date | undefined;
  weekly?: WeeklyWindow | undefined;
}

export interface WeeklyWindow {
  /** 1 is Monday. */
  days: readonly number[];
  /** `HH:MM`, the first minute of the window. */
  from: string;
  /** `HH:MM`, the first minute after the window. If it is not later than `from`, it is on the next day. */
  to: string;
}

/** Whether a guest has access now. `from` is inclusive, `until` exclusive. */
export function isWithinWindow(
  { from, until, weekly }: GuestWindow,
  { timeZone, now }: { timeZone: string; now: Date },
): boolean {
  if (from && now < from) return false;
  if (until && now >= until) return false;
  return weekly === undefined || isWithinWeek(weekly, clockOf(timeZone, now));
}

/**
 * Uses local time: an hour that is skipped in spring does not occur, and one that is repeated in autumn occurs twice.
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

/** Cached: there are a few hundred zones, and creating a format costs a hundred times as much as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}
