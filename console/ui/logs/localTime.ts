const clock = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
} as const;
const time = new Intl.DateTimeFormat('en-GB', clock);
const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const withYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** To the millisecond, in the developer's zone, for where the day stands above. */
export function clockTime(ts: string): string {
  const date = new Date(ts);
  return Number.isNaN(date.getTime()) ? ts : time.format(date);
}

/** A day in the developer's zone, as a heading over what happened in it. */
export function dayWords(ts: string, now = new Date()): string {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return 'Without a time';
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  if (date.toDateString() === daysAgo(0).toDateString()) return `Today, ${weekday.format(date)}`;
  if (date.toDateString() === daysAgo(1).toDateString()) return `Yesterday, ${weekday.format(date)}`;
  return date.getFullYear() === now.getFullYear() ? weekday.format(date) : withYear.format(date);
}

/** To the millisecond, in the developer's zone; the day with it unless it is today. What is no time stays as it is. */
export function localTime(ts: string): string {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return ts;
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? time.format(date) : `${day.format(date)} ${time.format(date)}`;
}
