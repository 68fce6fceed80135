import type { GuestAccess } from '#contract/home.ts';
import { listText } from '#rules/text/listText.ts';

export const dayNames = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** When a guest has access: "Mondays and Thursdays, 08:00 to 12:00, until 30 Nov 2026, 18:00"; empty: always. */
export function windowText({ from, until, weekly }: GuestAccess, timeZone: string): string {
  const parts = [
    weekly && `${daysText(weekly.days)}, ${weekly.from} to ${weekly.to}`,
    from && `from ${momentText(from, timeZone)}`,
    until && `until ${momentText(until, timeZone)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** "Monday to Friday", "Mondays and Thursdays", "every day" */
export function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  if (sorted.length === 7) return 'every day';
  const [first = 1, last = 1] = [sorted[0], sorted.at(-1)];
  const name = (day: number) => dayNames[day - 1] ?? '';
  if (sorted.length > 2 && last - first === sorted.length - 1) return `${name(first)} to ${name(last)}`;
  return listText(sorted.map(day => `${name(day)}s`));
}

/** "30 Nov 2026, 18:00" in the time zone of the home; midnight is shown as the day alone. */
function momentText(moment: string, timeZone: string): string {
  const at = new Date(moment);
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const;
  const text = new Intl.DateTimeFormat('en-GB', day).format(at);
  const clock = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  const time = new Intl.DateTimeFormat('en-GB', clock).format(at);
  return time === '00:00' ? text : `${text}, ${time}`;
}

/** Whether a guest's window has ended, or has not started. */
export function windowState({ from, until }: GuestAccess, now: number): 'over' | 'ahead' | 'open' {
  if (until && Date.parse(until) <= now) return 'over';
  return from && Date.parse(from) > now ? 'ahead' : 'open';
}
