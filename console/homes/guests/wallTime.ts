/** A moment as a clock in a time zone shows it, in the form of the browser's own field: `2026-11-30T10:15`. */
export function wallTime(moment: string, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(new Date(moment));
  const of = (type: string) => parts.find(part => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/**
 * The moment at which a clock in a time zone shows this. Where clocks are put forward, what they never show means the
 * time after the gap; where they are put back, the first of the two.
 */
export function momentOf(wall: string, timeZone: string): string {
  const shown = Date.parse(`${wall}:00Z`);
  const offsetAt = (at: number) => Date.parse(`${wallTime(new Date(at).toISOString(), timeZone)}:00Z`) - at;
  // What the offset is a day before and after; only one of the two is right, except on the two days of the change.
  const candidates = [offsetAt(shown - dayMs), offsetAt(shown + dayMs)].map(offset => shown - offset);
  const right = candidates.filter(at => at + offsetAt(at) === shown);
  return new Date(right.length > 0 ? Math.min(...right) : Math.max(...candidates)).toISOString();
}

const dayMs = 86_400_000;

/** The browser knows every zone the server does; should it not, times are shown in its own. */
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
