import type { Db } from '#server/infra/db/sql.ts';
import { yieldsEvery } from '#server/infra/pace/yieldsEvery.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { StoredEvent } from '#server/modules/events/eventSources.ts';
import { type EventCursor, readNextEvents } from '#server/modules/events/readNextEvents.ts';
import type { NewRun } from '#server/modules/runs/insertRuns.ts';
import { considerMatches } from './choosing/considerMatches.ts';
import { fittingMatches } from './choosing/fittingMatches.ts';
import { storeRuns } from './choosing/storeRuns.ts';
import { setApart } from './late/lateProjects.ts';
import { type Match, matchesOf, rememberedOf } from './matchEvents.ts';
import type { ModuleRegistry } from './moduleRegistry.ts';
import { type HeldShard, moveCursor } from './shardLease.ts';

/** Limits per step: for the least of events, and for matches between events and modules. */
export const eventsMin = 50;
const matchesMax = 20_000;
/** After this many processes in a row ended while they held a shard, its modules are evaluated one by one. */
const deathsMax = 2;
/** Longest time without a pause, because a gateway with waiting devices may run in the same process. */
const turnMs = 5;

export interface Dispatching {
  platform: Platform;
  holder: string;
  /** The connection that reads events. */
  reads: Db;
  held: HeldShard;
  book: ModuleRegistry;
  /** How many runs wait for a module, by `keyOf`. */
  waiting: (key: string) => number;
  /** Projects that are dispatched apart. */
  isLate: (projectId: string) => boolean;
}

export interface Dispatched {
  /** The new runs that are waiting. */
  runs: NewRun[];
  /** True if there may be more to read. */
  isMore: boolean;
  hasRead: boolean;
  /** The cursor was moved: in the database together with the runs, or only in memory. */
  isSaved: boolean;
  isUnsaved: boolean;
  /** Projects that are late from now on, and how far they were read. */
  late: { projectIds: ReadonlySet<string>; cursor: EventCursor } | undefined;
}

export class LeaseLost extends Error {}

const nothing: Dispatched = {
  runs: [],
  isMore: false,
  hasRead: false,
  isSaved: false,
  isUnsaved: false,
  late: undefined,
};

/**
 * Reads the next events of a shard, and stores the runs of its modules in one transaction with the new cursor. Projects
 * that turn out to need longer than the others can wait are set apart from here on.
 */
export async function dispatchEvents(given: Dispatching): Promise<Dispatched> {
  const { platform, reads, held, book } = given;
  const before = held.cursor;
  const { events, cursor, beside } = await readNextEvents(reads, {
    cursor: before,
    since: held.since,
    projectIds: book.projectIds.filter(id => !given.isLate(id)),
    max: Math.max(eventsMin, Math.min(book.eventsWithin, Math.floor(matchesMax / book.matchesPerEvent))),
    beside: book.stamp,
  });
  if (!book.isCurrent(beside)) {
    await book.read();
    skipOlder(held, book);
    return { ...nothing, isMore: true };
  }
  const { matches, seen, next } = await matchesIn(given, events, cursor);
  // So that the next step reads about as many events as it can use.
  book.matchesPerEvent = Math.max(1, matches.length / Math.max(1, seen));
  const isMore = events.length > 0 && next.seq !== '0';
  if (matches.length === 0) {
    held.cursor = next;
    return { ...nothing, isMore, hasRead: events.length > 0, isUnsaved: true };
  }
  const how = { isPrompt: true, isDoubtful: held.deaths >= deathsMax };
  const fitting = await fittingMatches(platform.db, matches, book.eventsWithin);
  book.eventsWithin = fitting.eventsWithin;
  const { upTo = next } = fitting;
  const considered = await considerMatches(platform, fitting, how);
  const runs = await platform.db.tx(async db => {
    const stored = await storeRuns(db, given, considered);
    if (!(await moveCursor(db, given.holder, held, upTo))) throw new LeaseLost();
    await setApart(db, [...considered.late], before);
    return stored;
  });
  held.cursor = upTo;
  held.saved = upTo;
  held.deaths = 0;
  const late = considered.late.size > 0 ? { projectIds: considered.late, cursor: before } : undefined;
  return {
    runs,
    isMore: isMore || fitting.upTo !== undefined,
    hasRead: true,
    isSaved: true,
    isUnsaved: false,
    late,
  };
}

/** The modules that may run for events. `next`: how far these were read, if not all could be used. */
export async function matchesIn(
  { platform, book }: Pick<Dispatching, 'platform' | 'book'>,
  events: readonly StoredEvent[],
  cursor: EventCursor,
): Promise<{ matches: Match[]; seen: number; next: EventCursor }> {
  const matches: Match[] = [];
  const remembered = events.length > 0 ? await rememberedOf(platform.db, events, book.types) : new Map();
  let [next, seen] = [cursor, 0];
  const yielded = yieldsEvery(turnMs);
  for (const event of events) {
    await yielded();
    matches.push(...matchesOf(event, book.receiving(event.projectId), remembered));
    seen++;
    next = event === events.at(-1) ? cursor : { tx: event.tx, seq: event.seq };
    if (matches.length >= matchesMax) break;
  }
  return { matches, seen, next };
}

/** Skips events that are older than all modules. */
function skipOlder(held: HeldShard, { leastTx }: ModuleRegistry): void {
  if (leastTx !== undefined && leastTx > BigInt(held.cursor.tx))
    held.cursor = { tx: leastTx.toString(), seq: '0' };
}
