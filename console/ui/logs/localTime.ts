import { serverDate } from '#console/core/serverClock.ts';
import { millisecondText, timeFormat, weekdayDayText, yearDayText } from '#console/ui/time/dateTexts.ts';

const day = timeFormat('DD MMM');

/** To the millisecond, in the developer's time zone, without the day, which is in the heading above. */
export function clockTime(ts: string): string {
  const date = new Date(ts);
  return Number.isNaN(date.getTime()) ? ts : millisecondText(date);
}

/** A day in the developer's time zone, as the heading of its entries. */
export function dayWords(ts: string, now = serverDate()): string {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return 'Without a time';
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  if (date.toDateString() === daysAgo(0).toDateString()) return `Today, ${weekdayDayText(date)}`;
  if (date.toDateString() === daysAgo(1).toDateString()) return `Yesterday, ${weekdayDayText(date)}`;
  return date.getFullYear() === now.getFullYear() ? weekdayDayText(date) : yearDayText(date);
}

/**
 * To the millisecond, in the developer's time zone, with the day unless it is today. A text that is not a time stays as
 * it is.
 */
export function localTime(ts: string): string {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return ts;
  const isToday = date.toDateString() === serverDate().toDateString();
  return isToday ? millisecondText(date) : `${day(date)} ${millisecondText(date)}`;
}
