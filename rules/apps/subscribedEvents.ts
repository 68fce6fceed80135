import { isEventName } from '../eventNames.ts';

/** Subscribes to all events, instead of single names. */
export const allEvents = '*';

/**
 * Parses the names of the events that an app or a module subscribes to, separated by whitespace. The result is sorted,
 * and has each name once, ignoring case. `*` alone means all. `faults` are the words that are not valid names, as
 * written.
 */
export function parseSubscribedEvents(text: string): { names: string[]; faults: string[] } {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 1 && words[0] === allEvents) return { names: [allEvents], faults: [] };
  const faults = words.filter(word => !isEventName(word));
  return { names: normalEventNames(words.filter(isEventName)), faults: [...new Set(faults)] };
}

/** Removes duplicates ignoring case, keeps the first spelling, and sorts by lower case. */
export function normalEventNames(names: readonly string[]): string[] {
  const byLowerCase = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!byLowerCase.has(key)) byLowerCase.set(key, name);
  }
  return [...byLowerCase].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => name);
}
