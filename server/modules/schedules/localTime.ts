import { dayMs, minuteMs } from '#rules/time/durations.ts';

/** The offset of a time zone from UTC in minutes; negative west of Greenwich. */
export function offsetMinutes(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

const offsetMs = (ms: number, timeZone: string) => offsetMinutes(new Date(ms), timeZone) * minuteMs;

/** What a clock on the wall shows, as if it were UTC. */
export const toLocal = (at: Date, timeZone: string): Date =>
  new Date(at.getTime() + offsetMs(at.getTime(), timeZone));

/**
 * When a clock on the wall shows a time: the first time if a clock change repeats it, and right after the change that
 * skips it.
 */
export function fromLocal(local: Date, timeZone: string): Date {
  const localMs = local.getTime();
  const [before, after] = [offsetMs(localMs - dayMs, timeZone), offsetMs(localMs + dayMs, timeZone)];
  const shown = [localMs - before, localMs - after].filter(ms => ms + offsetMs(ms, timeZone) === localMs);
  return new Date(
    shown.length > 0 ? Math.min(...shown) : changeWithin(localMs - after, localMs - before, timeZone),
  );
}

/** The minute of the clock change between two times. */
function changeWithin(fromMs: number, untilMs: number, timeZone: string): number {
  let [low, high] = [Math.floor(fromMs / minuteMs), Math.ceil(untilMs / minuteMs)];
  const before = offsetMs(low * minuteMs, timeZone);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle * minuteMs, timeZone) === before) low = middle;
    else high = middle;
  }
  return high * minuteMs;
}
