import { Problem } from '#contract/problem.ts';
import { allEvents, normalEventNames } from '#rules/apps/subscribedEvents.ts';

/** The names of subscribed events as they are stored: sorted, without duplicates. */
export function storedEventNames(names: readonly string[]): string[] {
  const stored = normalEventNames(names);
  if (stored.length === 1 || !stored.includes(allEvents)) return stored;
  throw new Problem('INVALID_FIELDS', {
    message: 'The name * means all events. Send it alone, or name the events.',
    fields: { subscribedEvents: 'INVALID' },
  });
}
