const clock = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
} as const;
const time = new Intl.DateTimeFormat('en-GB', clock);
const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });

/** To the millisecond, in the developer's zone; the day with it unless it is today. What is no time stays as it is. */
export function localTime(ts: string): string {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return ts;
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? time.format(date) : `${day.format(date)} ${time.format(date)}`;
}
