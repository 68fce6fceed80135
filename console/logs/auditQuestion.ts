import type { UrlState } from '#console/core/urlState.ts';
import { logViews, logWindow, recentDays } from '#console/ui/logs/logViews.ts';
import type { LogEntry } from '#contract/log.ts';
import { dayMs } from '#rules/time/durations.ts';

/** The query for the server. */
export interface AuditQuestion {
  begin: string;
  end: string;
  text?: string;
  actor?: string;
  action?: string;
  level?: number;
}

/** The longest period of one query, and how long entries are kept. */
const yearDays = 365;

/** The view for a custom range, in addition to those that every log has. */
export const otherTime = { value: 'other', label: 'Custom range' } as const;

/** The filters apart from the view. */
export const filterNames = ['text', 'who', 'action', 'level'] as const;

export function isFiltered(url: UrlState): boolean {
  return filterNames.some(name => url[name]);
}

/** The address as a query; values that are not valid are left out. */
export function questionOf(url: UrlState, now: Date): AuditQuestion {
  const { text, who, action, level } = url;
  return {
    ...timesOf(url, now),
    ...(text && { text: text.slice(0, 200) }),
    ...(who && { actor: who.slice(0, 128) }),
    ...(action && { action: action.slice(0, 100) }),
    ...(level && /^[012]$/.test(level) && { level: Number(level) }),
  };
}

function timesOf(url: UrlState, now: Date): { begin: string; end: string } {
  const { from, to } = url;
  const view = viewOf(url);
  if (view !== otherTime.value) {
    const { begin, end } = logWindow(view, now);
    if (view === 'today') return { begin, end: nextMidnight(now) };
    if (view !== 'recent') return { begin, end };
    const last = later(now);
    return { begin: new Date(Date.parse(last) - recentDays * dayMs).toISOString(), end: last };
  }
  const end = timeOf(to) ?? new Date(later(now));
  const begin = timeOf(from) ?? new Date(end.getTime() - yearDays * dayMs);
  return { begin: begin.toISOString(), end: end.toISOString() };
}

/** Whether new entries belong to the current view. */
export function isOpen(url: UrlState): boolean {
  const view = viewOf(url);
  return view === 'recent' || view === 'today' || (view === otherTime.value && !url.to);
}

/** An address can contain anything; an unknown view becomes the first one. */
export function viewOf({ view }: UrlState): string {
  return [...logViews, otherTime].find(({ value }) => value === view)?.value ?? 'recent';
}

/** The server's clock may be ahead of ours: entries written now must not be after the end. */
function later(now: Date): string {
  return new Date(now.getTime() + dayMs).toISOString();
}

/** The end of today's tail: later entries belong to another day. */
function nextMidnight(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toISOString();
}

/** `2026-11-20T10:15Z`; an address written by hand may leave out the zone, and then means the developer's. */
function timeOf(text: string | undefined): Date | undefined {
  if (!text) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Whether the server would find the entry for this query: for the entries of the tail. */
export function answers(entry: LogEntry, question: AuditQuestion): boolean {
  const { begin, end, text, actor, action, level } = question;
  const words = `${entry.text}\n${JSON.stringify(entry.detail ?? {})}`.toLowerCase();
  return (
    entry.ts >= begin &&
    entry.ts < end &&
    (actor === undefined || entry.actor.id === actor) &&
    (action === undefined || entry.action === action) &&
    (level === undefined || entry.level <= level) &&
    (text === undefined || words.includes(text.toLowerCase()))
  );
}
