import type { AppFigures } from '#contract/app.ts';
import { allEvents, normalEventNames } from '#rules/apps/subscribedEvents.ts';
import { byName } from '#rules/text/byName.ts';
import { numberText } from '#rules/text/numberText.ts';

export interface EventRow {
  name: string;
  /** The classes it comes from; empty: it did not occur in the last 24 hours. */
  deviceClasses: readonly string[];
  count: number;
  on: boolean;
}

/** The events that occur and those that are subscribed to, the most frequent first. */
export function eventRows(events: AppFigures['events'], subscribed: readonly string[]): EventRow[] {
  const isAll = subscribed.includes(allEvents);
  const wanted = new Set(subscribed.map(name => name.toLowerCase()));
  const rows = new Map<string, EventRow>();
  for (const name of isAll ? [] : subscribed)
    rows.set(name.toLowerCase(), { name, deviceClasses: [], count: 0, on: true });
  for (const { name, deviceClass, count } of events) {
    const key = name.toLowerCase();
    const row = rows.get(key);
    rows.set(key, {
      name: row?.name ?? name,
      deviceClasses: [...new Set([...(row?.deviceClasses ?? []), deviceClass])],
      count: (row?.count ?? 0) + count,
      on: isAll || wanted.has(key),
    });
  }
  return [...rows.values()].sort((a, b) => b.count - a.count || byName(a.name, b.name));
}

/** The subscription after one event is switched; switching one off in "all" keeps the other known names. */
export function switched(
  subscribed: readonly string[],
  rows: readonly EventRow[],
  name: string,
  on: boolean,
): string[] {
  const now = subscribed.includes(allEvents) ? rows.map(row => row.name) : subscribed;
  const others = now.filter(one => one.toLowerCase() !== name.toLowerCase());
  return normalEventNames(on ? [...others, name] : others);
}

/** The cost of the subscription, and of subscribing to everything. */
export function costText(rows: readonly EventRow[], isAll: boolean): string {
  const total = sum(rows);
  if (isAll)
    return total === 0
      ? 'All events reach sessions. None occurred in the last 24 hours.'
      : `All events reach sessions, new ones included: ${eventsText(total)} in the last 24 hours.`;
  const on = sum(rows.filter(row => row.on));
  const now = rows.some(row => row.on) ? `${eventsText(on)} a day` : 'No events';
  const verb = on === 1 ? 'reaches' : 'reach';
  if (total === 0) return `${now} ${verb} sessions. None occurred in the last 24 hours.`;
  return total === on
    ? `${now} ${verb} sessions, as many as with *.`
    : `${now} ${verb} sessions; * would make it ${numberText(total)}.`;
}

const sum = (rows: readonly EventRow[]) => rows.reduce((total, { count }) => total + count, 0);
const eventsText = (count: number) => (count === 1 ? '1 event' : `${numberText(count)} events`);
