import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { yieldsEvery } from '#server/infra/pace/yieldsEvery.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type DeviceThen, devicesWithin } from '#server/modules/events/eventDevices.ts';
import { type EventCursor, readNextEvents } from '#server/modules/events/readNextEvents.ts';
import { onTrial } from '#server/modules/rests/onTrial.ts';
import { countRuns, runCounts } from '#server/modules/runs/countRuns.ts';
import { insertRuns, type NewRun } from '#server/modules/runs/insertRuns.ts';
import { waitingCounts } from '#server/modules/runs/waitingRuns.ts';
import type { Choice } from '#server/modules/smartModules/moduleType.ts';
import { chooseHits } from './chooseHits.ts';
import {
  deafness,
  heardOf,
  isTooFar,
  type Match,
  matchesOf,
  rememberedOf,
  sharedChosen,
  tooFarSummary,
} from './matchEvents.ts';
import { keyOf, type ModuleRegistry } from './moduleRegistry.ts';
import { parkModule, tooManyWaiting } from './parkModule.ts';
import { type HeldShard, moveCursor } from './shardLease.ts';

/** Limits per step: of events, and of matches between events and modules. */
const eventsMax = 5_000;
const eventsMin = 50;
const matchesMax = 20_000;
/** Limit per step for the states of its devices, as text. */
const stateBytesMax = 2 * 1024 * 1024;
/** Number of runs stored for events on which a module could not decide; all are counted. */
const undecidedMax = 20;
const summaryMax = 300;
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
}

export class LeaseLost extends Error {}

const nothing: Dispatched = { runs: [], isMore: false, hasRead: false, isSaved: false, isUnsaved: false };

/** Reads the next events of a shard, and stores the runs of its modules in one transaction with the new cursor. */
export async function dispatchEvents(given: Dispatching): Promise<Dispatched> {
  const { platform, reads, held, book } = given;
  const { events, cursor, beside } = await readNextEvents(reads, {
    cursor: held.cursor,
    since: held.since,
    projectIds: book.projectIds,
    max: Math.max(eventsMin, Math.min(book.eventsWithin, Math.floor(matchesMax / book.matchesPerEvent))),
    beside: book.stamp,
  });
  if (!book.isCurrent(beside)) {
    await book.read();
    skipOlder(held, book);
    return { ...nothing, isMore: true };
  }
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
  // So that the next step reads about as many events as it can use.
  book.matchesPerEvent = Math.max(1, matches.length / Math.max(1, seen));
  const isMore = events.length > 0 && next.seq !== '0';
  if (matches.length === 0) {
    held.cursor = next;
    return { ...nothing, isMore, hasRead: events.length > 0, isUnsaved: true };
  }
  const fitting = await fittingOf(platform.db, matches);
  const { upTo = next } = fitting;
  book.eventsWithin = fitting.upTo ? fitting.count : Math.min(eventsMax, 2 * book.eventsWithin);
  const runs = await platform.db.tx(db => store(db, given, fitting, upTo));
  held.cursor = upTo;
  held.saved = upTo;
  held.deaths = 0;
  return {
    runs,
    isMore: isMore || fitting.upTo !== undefined,
    hasRead: true,
    isSaved: true,
    isUnsaved: false,
  };
}

interface Fitting {
  matches: readonly Match[];
  devices: ReadonlyMap<string, DeviceThen>;
  /** The number of their events. */
  count: number;
  /** The last of their events, if the others do not fit. */
  upTo: EventCursor | undefined;
}

/** The first matches, with devices whose states fit into memory together. */
async function fittingOf(db: Db, all: readonly Match[]): Promise<Fitting> {
  const events = [...new Set(all.map(({ event }) => event))];
  const { devices, count } = await devicesWithin(db, events, stateBytesMax);
  const last = events[count - 1];
  if (count === events.length || !last) return { matches: all, devices, count, upTo: undefined };
  const fit = new Set(events.slice(0, count));
  const matches = all.filter(({ event }) => fit.has(event));
  return { matches, devices, count, upTo: { tx: last.tx, seq: last.seq } };
}

/** Skips events that are older than all modules. */
function skipOlder(held: HeldShard, { leastTx }: ModuleRegistry): void {
  if (leastTx !== undefined && leastTx > BigInt(held.cursor.tx))
    held.cursor = { tx: leastTx.toString(), seq: '0' };
}

async function store(db: Db, given: Dispatching, { matches: all, devices }: Fitting, next: EventCursor) {
  const { platform, holder, held } = given;
  const now = platform.clock();
  const active = await lockActive(db, all);
  const matches = all.filter(({ event, known }) => {
    const device = devices.get(event.deviceId)?.device;
    return device && active.has(keyOf(known.module)) && !deafness(known, heardOf(event), device.deviceClass);
  });
  const chosenOf = sharedChosen(devices);
  const made: NewRun[] = [];
  for (const some of chosenTogether(matches, held)) {
    const [{ known }] = some;
    const choose = () => chooseHits(db, platform, known.type, some.flatMap(chosenOf));
    const choices = await (isDoubtful(held) ? onTrial(platform, [known.module], choose) : choose());
    made.push(...some.flatMap((match, at) => runOf(match, choices[at], { newId: platform.newId, now })));
  }
  const { kept, discarded } = await withinRoom(db, made, given);
  await insertRuns(db, kept, now);
  await countRuns(db, runCounts([...made.filter(({ state }) => state !== 'waiting'), ...discarded]), now);
  if (!(await moveCursor(db, holder, held, next))) throw new LeaseLost();
  return kept.filter(({ state }) => state === 'waiting');
}

/** Something that was evaluated last may have ended the processes that held the shard. */
const isDoubtful = ({ deaths }: HeldShard) => deaths >= deathsMax;

/** All modules of a type together. If the shard is doubtful, one by one, so that it is known which of them it was. */
function chosenTogether(matches: readonly Match[], held: HeldShard): [Match, ...Match[]][] {
  const groups = isDoubtful(held)
    ? Map.groupBy(matches, ({ known }) => keyOf(known.module))
    : Map.groupBy(matches, ({ known }) => known.type);
  return [...groups.values()].filter((some): some is [Match, ...Match[]] => some.length > 0);
}

/** The modules that are not suspended. The lock keeps them from being suspended until this transaction ends. */
async function lockActive(db: Db, matches: readonly Match[]): Promise<Set<string>> {
  const modules = [...new Set(matches.map(({ known }) => known.module))];
  const rows = await db.many<{ projectId: string; id: string }>(sql`
    select s.project_id as "projectId", s.id from smart_modules s
    join unnest(${modules.map(one => one.projectId)}::text[], ${modules.map(one => one.id)}::text[]) as m (project_id, id)
      on s.project_id = m.project_id and s.id = m.id
    where not s.suspended order by s.project_id, s.id for share of s`);
  return new Set(rows.map(keyOf));
}

function runOf(
  { event, known }: Match,
  choice: Choice | undefined,
  { newId, now }: Pick<Platform, 'newId'> & { now: Date },
): NewRun[] {
  if (!choice || ('hit' in choice && !choice.hit)) return [];
  const { projectId, id: moduleId } = known.module;
  const { deviceId, seq, causedBy } = event;
  const run = { id: newId('run', now), projectId, moduleId, seq, deviceId, event, causedBy };
  if ('error' in choice) {
    const summary = choice.error.slice(0, summaryMax);
    return [
      { ...run, state: 'failed', summary, attempt: { at: now.toISOString(), ms: 0, isOk: false, summary } },
    ];
  }
  const isStopped = isTooFar(event) && !known.type.causesNothing && !choice.causesNothing;
  return [isStopped ? { ...run, state: 'dropped', summary: tooFarSummary } : { ...run, state: 'waiting' }];
}

/** Drops runs beyond a module's limit: they are only counted, and the module is parked. */
async function withinRoom(db: Db, made: readonly NewRun[], { platform, book, waiting }: Dispatching) {
  const byModule = [...Map.groupBy(made, run => keyOf({ projectId: run.projectId, id: run.moduleId }))];
  const known = byModule.flatMap(([, [run]]) => (run && book.find(run.projectId, run.moduleId)) ?? []);
  // The runs of parked modules are not in memory.
  const counts = await waitingCounts(
    db,
    known.filter(({ isParked }) => isParked).map(({ module }) => module),
    platform.clock(),
  );
  const kept: NewRun[] = [];
  const discarded: { projectId: string; moduleId: string; state: 'dropped' }[] = [];
  for (const [key, runs] of byModule) {
    let room = parkAfter.waiting - (counts.get(key) ?? waiting(key));
    let undecided = undecidedMax;
    let isFull = false;
    for (const run of runs) {
      if (run.state === 'failed' ? undecided-- > 0 : run.state !== 'waiting' || room-- > 0) kept.push(run);
      else if (run.state === 'waiting') {
        isFull = true;
        discarded.push({ projectId: run.projectId, moduleId: run.moduleId, state: 'dropped' });
      }
    }
    const [first] = runs;
    if (isFull && first && !counts.has(key)) {
      const one = { projectId: first.projectId, id: first.moduleId, because: tooManyWaiting };
      await parkModule(db, platform, one);
    }
  }
  return { kept, discarded };
}
