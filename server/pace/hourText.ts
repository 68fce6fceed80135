const hourMs = 3_600_000;

let last = { hour: Number.NaN, text: '' };

/**
 * The hour of a time, as counters are keyed by it: `2026-11-22T09:00Z`. Nearly every call is of the same hour as the one
 * before, and to make the text anew is the dearest part of counting it.
 */
export function hourText(at: Date): string {
  const hour = Math.floor(at.getTime() / hourMs);
  if (last.hour !== hour) last = { hour, text: `${at.toISOString().slice(0, 13)}:00Z` };
  return last.text;
}

/** Its day: `2026-11-22`. */
export const dayText = (at: Date): string => hourText(at).slice(0, 10);
