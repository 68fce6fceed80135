import { minuteMs } from '#rules/time/durations.ts';
import { dayMinutes } from './durations.ts';
/** Hours of each day in which e-mails wait. If `to` is earlier than `from`, it is on the next day. */
export interface QuietHours {
  /** `HH:MM` */
  from: string;
  to: string;
  timeZone: string;
}

/** Why these are no quiet hours, in words: nobody means the whole day by them, which would silence e-mails for good. */
export const quietHoursFault = ({ from, to }: Pick<QuietHours, 'from' | 'to'>): string | undefined =>
  from === to ? 'Quiet hours must begin and end at different times.' : undefined;

/** When the quiet hours end; undefined if it is not quiet now. */
export function quietUntil({ from, to, timeZone }: QuietHours, now: Date): Date | undefined {
  const [begin, end, at] = [minutesOf(from), minutesOf(to), minutesIn(timeZone, now)];
  const isQuiet = begin <= end ? at >= begin && at < end : at >= begin || at < end;
  if (!isQuiet) return undefined;
  const left = (end - at + dayMinutes) % dayMinutes;
  const until = Math.floor(now.getTime() / minuteMs + left) * minuteMs;
  // A clock change in between moves the end by at most an hour; one correction is enough.
  const off = minutesIn(timeZone, new Date(until)) - end;
  const moved = off > dayMinutes / 2 ? off - dayMinutes : off < -dayMinutes / 2 ? off + dayMinutes : off;
  const corrected = new Date(until - moved * minuteMs);
  // If the clock change skips the end, the corrected time is an hour too early and still quiet.
  return minutesIn(timeZone, corrected) === end ? corrected : new Date(until);
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

function minutesIn(timeZone: string, at: Date): number {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return minutesOf(time.format(at));
}
