import type { Db } from '#server/infra/db/sql.ts';
import type { Match } from '#server/modules/dispatch/matchEvents.ts';
import { type DeviceThen, devicesWithin } from '#server/modules/events/eventDevices.ts';
import type { EventCursor } from '#server/modules/events/readNextEvents.ts';

/** Limit per step for the states of its devices, as text. */
const stateBytesMax = 2 * 1024 * 1024;
/** Limit per step for events. */
export const eventsMax = 5_000;

export interface Fitting {
  matches: readonly Match[];
  devices: ReadonlyMap<string, DeviceThen>;
  /** The last of their events, if the others do not fit. */
  upTo: EventCursor | undefined;
  /** How many events the next step should read. */
  eventsWithin: number;
}

/** The first matches, with devices whose states fit into memory together. `eventsWithin`: what the last step said. */
export async function fittingMatches(db: Db, all: readonly Match[], eventsWithin: number): Promise<Fitting> {
  const events = [...new Set(all.map(({ event }) => event))];
  const { devices, count } = await devicesWithin(db, events, stateBytesMax);
  const last = events[count - 1];
  if (count === events.length || !last)
    return { matches: all, devices, upTo: undefined, eventsWithin: Math.min(eventsMax, 2 * eventsWithin) };
  const fit = new Set(events.slice(0, count));
  const matches = all.filter(({ event }) => fit.has(event));
  return { matches, devices, upTo: { tx: last.tx, seq: last.seq }, eventsWithin: count };
}
