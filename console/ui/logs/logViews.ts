import { dayMs } from '#rules/time/durations.ts';
/** Most Recent, Today, Yesterday and each of 2 to 7 days ago. */
export const logViews = [
  { value: 'recent', label: 'Most Recent' },
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  ...[2, 3, 4, 5, 6, 7].map(days => ({ value: String(days), label: `${days} days ago` })),
] as const;

const recentEntries = 5;
export const recentDays = 30;
const pageEntries = 15;

export interface LogWindow {
  begin: string;
  end: string;
  maxEntries: number;
}

/**
 * The query of a view. A day goes from midnight to midnight in the developer's time zone: 24 hours, except on the two
 * days a year when the clocks change. Today ends now.
 */
export function logWindow(view: string, now: Date): LogWindow {
  const days = view === 'today' ? 0 : view === 'yesterday' ? 1 : Number(view);
  if (!Number.isInteger(days)) {
    const begin = new Date(now.getTime() - recentDays * dayMs);
    return { begin: begin.toISOString(), end: now.toISOString(), maxEntries: recentEntries };
  }
  const midnight = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  const begin = midnight(days);
  const end = days === 0 ? now : midnight(days - 1);
  return { begin: begin.toISOString(), end: end.toISOString(), maxEntries: pageEntries };
}
