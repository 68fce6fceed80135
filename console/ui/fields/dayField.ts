import { serverNow } from '#console/core/serverClock.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';

/** `2026-11-20`, the day of a moment in the browser's time zone, in the format of a `date` field. */
export const dayField = (time: Date) => localText(time).slice(0, 10);

/** `2026-11-20T10:15`, a moment in the browser's time zone, in the format of a `datetime-local` field. */
export const minuteField = (time: Date) => localText(time).slice(0, 16);

/** `2026-11-20T09:15Z`: the moment in a `datetime-local` field, in UTC; empty if the field is. */
export function utcMinute(field: string | Date): string {
  const time = new Date(field);
  return Number.isNaN(time.getTime()) ? '' : `${time.toISOString().slice(0, -8)}Z`;
}

function localText(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * minuteMs).toISOString();
}

/** The end of the day in a `date` field. */
export const endOfDay = (day: string) => new Date(`${day}T23:59:59`);

export const inDays = (days: number) => new Date(serverNow() + days * dayMs);
