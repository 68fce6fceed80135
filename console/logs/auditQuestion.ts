import { logViews, logWindow } from '#console/ui/logs/logViews.ts';
import type { UrlState } from '#console/urlState.ts';
import type { LogEntry } from '#contract/log.ts';

/** What the server is asked for. */
export interface AuditQuestion {
  begin: string;
  end: string;
  text?: string;
  actor?: string;
  action?: string;
  level?: number;
}

/** Days of which the server answers at once; entries are kept that long. */
const yearDays = 365;
const dayMs = 86_400_000;

/** The view for a time of one's own, beyond those that every log has. */
export const otherTime = { value: 'other', label: 'Custom range' } as const;

/** Beside the view: everything that says what is looked for. */
export const filterNames = ['text', 'who', 'action', 'level'] as const;

export function isFiltered(url: UrlState): boolean {
  return filterNames.some(name => url[name]);
}

/** The address as a question; what makes no sense in it is left out. */
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
    return { begin, end: isOpen(url) ? later(now) : end };
  }
  const end = timeOf(to) ?? new Date(later(now));
  const begin = timeOf(from) ?? new Date(end.getTime() - yearDays * dayMs);
  return { begin: begin.toISOString(), end: end.toISOString() };
}

/** Whether what happens now belongs to what is looked at. */
export function isOpen(url: UrlState): boolean {
  const view = viewOf(url);
  return view === 'recent' || view === 'today' || (view === otherTime.value && !url.to);
}

/** An address can say anything; what is no view is the first one. */
export function viewOf({ view }: UrlState): string {
  return [...logViews, otherTime].find(({ value }) => value === view)?.value ?? 'recent';
}

/** A server's clock may be ahead of ours: what it writes now is not to be after the end. */
function later(now: Date): string {
  return new Date(now.getTime() + dayMs).toISOString();
}

/** Where the tail of today ends: what comes after it is another day's. */
function nextMidnight(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toISOString();
}

/** `2026-11-20T10:15`, as the browser's own field has it, in the developer's zone. */
function timeOf(text: string | undefined): Date | undefined {
  if (!text) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Whether the server would find the entry for the question: for those that the tail brings. */
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
