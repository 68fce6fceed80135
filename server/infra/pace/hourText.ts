import { hourMs } from '#rules/time/durations.ts';

let last = { hour: Number.NaN, text: '' };

/**
 * The hour of a time as a key of counters: `2026-11-22T09:00Z`. Cached, because nearly every call has the same hour as
 * the previous one, and formatting is the most expensive part of counting.
 */
export function hourText(at: Date): string {
  const hour = Math.floor(at.getTime() / hourMs);
  if (last.hour !== hour) last = { hour, text: `${at.toISOString().slice(0, 13)}:00Z` };
  return last.text;
}

/** The day of a time: `2026-11-22`. */
export const dayText = (at: Date): string => hourText(at).slice(0, 10);
