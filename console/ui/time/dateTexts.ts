import { minuteMs } from '#rules/time/durations.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** How many letters British English leaves of a month. */
const short = (month: string) => month.slice(0, month === 'September' ? 4 : 3);

/** "UTC+2", "UTC-3:30" */
function zoneText(minutesAhead: number): string {
  if (minutesAhead === 0) return 'UTC';
  const [hours, minutes] = [Math.floor(Math.abs(minutesAhead) / 60), Math.abs(minutesAhead) % 60];
  return `UTC${minutesAhead < 0 ? '-' : '+'}${hours}${minutes ? `:${String(minutes).padStart(2, '0')}` : ''}`;
}

/**
 * Writes times by a pattern such as `D MMM YYYY, HH:mm`, in the time zone of the browser or in UTC. `Intl` could do it, but
 * loads languages and time zones first, which takes 20 ms on a desktop and 100 ms on a phone, in the first render.
 */
export function timeFormat(pattern: string, zone?: 'UTC'): (at: string | number | Date) => string {
  return at => {
    const date = new Date(at);
    const minutesAhead = zone === 'UTC' ? 0 : -date.getTimezoneOffset();
    // What a clock in that zone shows, as if it were one in UTC.
    const shown = new Date(date.getTime() + minutesAhead * minuteMs);
    const [YYYY = '', , DD = '', HH = '', mm = '', ss = '', SSS = ''] = shown.toISOString().split(/\D/);
    const [month = '', weekday = ''] = [months[shown.getUTCMonth()], weekdays[shown.getUTCDay()]];
    const parts = {
      YYYY,
      MMMM: month,
      MMM: short(month),
      DD,
      D: String(Number(DD)),
      dddd: weekday,
      ddd: weekday.slice(0, 3),
      HH,
      mm,
      ss,
      SSS,
      Z: zoneText(minutesAhead),
    };
    return pattern.replace(/[A-Za-z]+/g, part => parts[part as keyof typeof parts]);
  };
}

/** "14:02" */
export const hourText = timeFormat('HH:mm');
/** "14:02:11" */
export const secondText = timeFormat('HH:mm:ss');
/** "14:02:11.123" */
export const millisecondText = timeFormat('HH:mm:ss.SSS');
/** "12 Nov" */
export const dayText = timeFormat('D MMM');
/** "12 Nov" of a day in UTC */
export const utcDayText = timeFormat('D MMM', 'UTC');
/** "12 Nov 2026" */
export const yearDayText = timeFormat('D MMM YYYY');
/** "Thu" */
export const weekdayText = timeFormat('ddd');
/** "Thu 14:02" */
export const weekdayHourText = timeFormat('ddd HH:mm');
/** "Thu 12 Nov" */
export const weekdayDayText = timeFormat('ddd D MMM');
/** "12 Nov, 14:02" */
export const momentText = timeFormat('D MMM, HH:mm');
/** "12 Nov 2026, 14:02:11 UTC+1" */
export const absoluteTime = timeFormat('D MMM YYYY, HH:mm:ss Z');
