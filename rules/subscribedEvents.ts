import { isEventName } from './eventNames.ts';

/** In place of names: all events. */
export const allEvents = '*';

/**
 * Reads the names of the events that an app or a module subscribes to, separated by whitespace: each once whatever its
 * case, sorted. `*` alone means all. `faults` are the words that are no names, as they were written.
 */
export function parseSubscribedEvents(text: string): { names: string[]; faults: string[] } {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 1 && words[0] === allEvents) return { names: [allEvents], faults: [] };
  const faults = words.filter(word => !isEventName(word));
  return { names: normalEventNames(words.filter(isEventName)), faults: [...new Set(faults)] };
}

/** Each name once, the first spelling of it, sorted by its lower case. */
export function normalEventNames(names: readonly string[]): string[] {
  const byLowerCase = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!byLowerCase.has(key)) byLowerCase.set(key, name);
  }
  return [...byLowerCase].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => name);
}
