const dayMs = 86_400_000;

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const second = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

export const hourText = (at: number) => hour.format(at);

export function tickText(at: number, spanMs: number): string {
  return (spanMs > 2 * dayMs ? weekday : hour).format(at);
}

/** "11:32 – 11:48", with the day where that is not today, to the second where it was short, "now" while it lasts. */
export function spanText({ from, to }: { from: number; to: number }, now = Date.now()): string {
  const clock = to - from < 120_000 ? second : hour;
  const isToday = day.format(from) === day.format(now);
  const end = now - to < 10_000 ? 'now' : clock.format(to);
  return `${isToday ? '' : `${day.format(from)}, `}${clock.format(from)} – ${end}`;
}
