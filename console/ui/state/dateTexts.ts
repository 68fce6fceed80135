/**
 * Formats times with these options. `Intl` takes a millisecond to create a formatter, and several on a phone: it is
 * created on first use, and here, so that all callers share one.
 */
export function timeFormat(options: Intl.DateTimeFormatOptions): (at: string | number | Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return at => {
    format ??= new Intl.DateTimeFormat('en-GB', options);
    return format.format(new Date(at));
  };
}

const hour = { hour: '2-digit', minute: '2-digit' } as const;
const second = { ...hour, second: '2-digit' } as const;
const day = { day: 'numeric', month: 'short' } as const;
const yearDay = { ...day, year: 'numeric' } as const;

/** "14:02" */
export const hourText = timeFormat(hour);
/** "14:02:11" */
export const secondText = timeFormat(second);
/** "14:02:11.123" */
export const millisecondText = timeFormat({ ...second, fractionalSecondDigits: 3 });
/** "12 Nov" */
export const dayText = timeFormat(day);
/** "12 Nov", for counts by UTC day. */
export const utcDayText = timeFormat({ ...day, timeZone: 'UTC' });
/** "12 Nov 2026" */
export const yearDayText = timeFormat(yearDay);
/** "Thu" */
export const weekdayText = timeFormat({ weekday: 'short' });
/** "Thu 14:02" */
export const weekdayHourText = timeFormat({ weekday: 'short', ...hour });
/** "Thu 12 Nov" */
export const weekdayDayText = timeFormat({ weekday: 'short', ...day });
/** "12 Nov, 14:02" */
export const momentText = timeFormat({ ...day, ...hour });
/** "12 Nov 2026, 14:02:11 GMT+1" */
export const absoluteTime = timeFormat({ ...yearDay, ...second, timeZoneName: 'short' });
