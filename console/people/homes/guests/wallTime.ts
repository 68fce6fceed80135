import { dayMs } from '#rules/time/durations.ts';
/** A moment as clocks in a time zone show it, in the format of a `datetime-local` field: `2026-11-30T10:15`. */
export function wallTime(moment: string, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(new Date(moment));
  const of = (type: string) => parts.find(part => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/**
 * The moment at which clocks in a time zone show this time. A time that is skipped when clocks go forward means the
 * time after the gap; a time that is repeated when they go back means the first of the two.
 */
export function momentOf(wall: string, timeZone: string): string {
  const shown = Date.parse(`${wall}:00Z`);
  const offsetAt = (at: number) => Date.parse(`${wallTime(new Date(at).toISOString(), timeZone)}:00Z`) - at;
  // The offsets a day before and a day after; only one of them is right, except around a change of clocks.
  const candidates = [offsetAt(shown - dayMs), offsetAt(shown + dayMs)].map(offset => shown - offset);
  const right = candidates.filter(at => at + offsetAt(at) === shown);
  return new Date(right.length > 0 ? Math.min(...right) : Math.max(...candidates)).toISOString();
}

/** The browser knows every time zone that the server does; if it should not, times are shown in the browser's own. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const fields: Intl.DateTimeFormatOptions = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  };
  try {
    return new Intl.DateTimeFormat('en-CA', { ...fields, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-CA', fields);
  }
}
