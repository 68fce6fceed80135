import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '#rules/time/durations.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { considerMatches } from '#server/modules/dispatch/choosing/considerMatches.ts';
import { eventsMax, fittingMatches } from '#server/modules/dispatch/choosing/fittingMatches.ts';
import { storeRuns } from '#server/modules/dispatch/choosing/storeRuns.ts';
import { eventsMin, LeaseLost, matchesIn } from '#server/modules/dispatch/dispatchEvents.ts';
import type { ModuleRegistry } from '#server/modules/dispatch/moduleRegistry.ts';
import { type HeldShard, moveCursor } from '#server/modules/dispatch/shardLease.ts';
import { type EventCursor, isBefore, readNextEvents } from '#server/modules/events/readNextEvents.ts';
import type { NewRun } from '#server/modules/runs/insertRuns.ts';
import { findLateProject, lateProjectsOf, moveLate, rejoin } from './lateProjects.ts';

/** Limit for matches between events and modules per step. */
const matchesMax = 1_000;
const restMs = 250;
const failedMs = 500;
/**
 * A project stays apart for at least this long, so that it delays the others no more than once in this time. It loses
 * nothing by that: only reading its events by themselves costs a little.
 */
const apartMs = 10 * minuteMs;
/** How long to wait before the next try to rejoin. */
const againMs = 1_000;

interface Given {
  platform: Platform;
  holder: string;
  reads: Db;
  /** The connection that reads events of late projects, so that the others do not wait for it. */
  lateReads: Db;
  /** The events of late projects are read as far as those of their shard. */
  held: HeldShard;
  book: ModuleRegistry;
  waiting: (key: string) => number;
  add: (runs: readonly NewRun[]) => void;
}

interface Late {
  cursor: EventCursor;
  /** In the database. */
  saved: EventCursor;
  /** When it may rejoin its shard. */
  rejoinMs: number;
  /** It was late already when the process before this one ended, maybe because of it. */
  isDoubtful: boolean;
  /** How many events a step can use, according to the states of the devices of the last one. */
  eventsWithin: number;
  /** While it is found out whether it can rejoin its shard. */
  isPaused: boolean;
  isBusy: boolean;
}

/**
 * Dispatches the events of late projects of a shard, each on its own: what they wait for, nobody else waits for. A
 * project rejoins its shard once both have been read equally far.
 */
export class LateWork {
  readonly #given: Given;
  readonly #all = new Map<string, Late>();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(given: Given) {
    this.#given = given;
  }

  has(projectId: string): boolean {
    return this.#all.has(projectId);
  }

  async load(): Promise<void> {
    const { platform, held } = this.#given;
    for (const { projectId, tx, seq } of await lateProjectsOf(platform.db, held.shard))
      this.#begin(projectId, { tx, seq }, held.deaths > 0);
  }

  /** Projects that were just set apart. */
  add({ projectIds, cursor }: { projectIds: ReadonlySet<string>; cursor: EventCursor }): void {
    for (const projectId of projectIds) this.#begin(projectId, cursor, false);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  /** Lets a project rejoin its shard that was read as far as the shard. Called between two steps of the shard. */
  async rejoinOne(): Promise<boolean> {
    const nowMs = this.#given.platform.clock().getTime();
    const found = [...this.#all].find(([, { rejoinMs, isBusy }]) => !isBusy && nowMs >= rejoinMs);
    if (!found) return false;
    const [projectId, late] = found;
    late.isPaused = true;
    try {
      const hasRejoined = await this.#rejoin(projectId, late);
      if (!hasRejoined) late.rejoinMs = nowMs + againMs;
      return hasRejoined;
    } finally {
      late.isPaused = false;
    }
  }

  async #rejoin(projectId: string, late: Late): Promise<boolean> {
    const { platform, holder, held, reads } = this.#given;
    const { cursor } = held;
    if (isBefore(cursor, late.cursor)) return false;
    if (isBefore(late.cursor, cursor)) {
      const { events } = await this.#read(reads, projectId, late, 1);
      if (events.length > 0) return false;
    }
    const rejoined = platform.db.tx(async db => {
      await rejoin(db, projectId);
      if (!(await moveCursor(db, holder, held, cursor))) throw new LeaseLost();
    });
    // Whether it was stored is unknown: the shard begins again from what is stored.
    await rejoined.catch(() => {
      throw new LeaseLost();
    });
    held.saved = cursor;
    this.#all.delete(projectId);
    return true;
  }

  #begin(projectId: string, cursor: EventCursor, isDoubtful: boolean): void {
    const rejoinMs = this.#given.platform.clock().getTime() + apartMs;
    const state = { eventsWithin: eventsMax, isPaused: false, isBusy: false };
    const late: Late = { cursor, saved: cursor, rejoinMs, isDoubtful, ...state };
    this.#all.set(projectId, late);
    const running = this.#work(projectId, late).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #work(projectId: string, late: Late): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted && this.#all.get(projectId) === late) {
      let waitMs = restMs;
      if (!late.isPaused) {
        late.isBusy = true;
        waitMs = await this.#step(projectId, late).catch(error => this.#failed(projectId, late, error));
        late.isBusy = false;
      }
      if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns how long to wait before the next step. */
  async #step(projectId: string, late: Late): Promise<number> {
    const { platform, holder, held, lateReads, book, add } = this.#given;
    if (!isBefore(late.cursor, held.cursor)) return restMs;
    const max = Math.min(
      late.eventsWithin,
      Math.floor(matchesMax / Math.max(1, book.receiving(projectId).length)),
    );
    const { events, cursor } = await this.#read(lateReads, projectId, late, Math.max(eventsMin, max));
    const { matches, next: read } = await matchesIn(this.#given, events, cursor);
    let next = read;
    if (matches.length > 0) {
      const fitting = await fittingMatches(platform.db, matches, late.eventsWithin);
      late.eventsWithin = fitting.eventsWithin;
      next = fitting.upTo ?? read;
      const how = { isPrompt: false, isDoubtful: late.isDoubtful };
      const considered = await this.#orStopped(considerMatches(platform, fitting, how));
      const runs = await platform.db.tx(async db => {
        const stored = await storeRuns(db, this.#given, considered);
        if (!(await moveLate(db, holder, { projectId, ...late.saved }, next))) throw new LeaseLost();
        return stored;
      });
      late.saved = next;
      late.isDoubtful = false;
      add(runs);
    }
    late.cursor = next;
    return events.length > 0 ? 0 : restMs;
  }

  /** What takes long is not waited for when the work ends: the next holder of the shard does it again. */
  async #orStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#stop;
    work.catch(() => undefined);
    const { promise, reject } = Promise.withResolvers<never>();
    const stopped = () => reject(new LeaseLost());
    if (signal.aborted) stopped();
    signal.addEventListener('abort', stopped);
    try {
      return await Promise.race([work, promise]);
    } finally {
      signal.removeEventListener('abort', stopped);
    }
  }

  #read(reads: Db, projectId: string, { cursor }: Late, max: number) {
    const { held } = this.#given;
    const asked = { cursor, upTo: held.cursor, since: held.since, projectIds: [projectId], max };
    return readNextEvents(reads, asked);
  }

  /** Goes on from where the database says it is. */
  async #failed(projectId: string, late: Late, error: unknown): Promise<number> {
    const { platform } = this.#given;
    if (this.#stop.signal.aborted) return 0;
    if (!(error instanceof LeaseLost))
      platform.log('warn', 'Smart modules of a project wait for the database', { error: String(error) });
    try {
      const found = await findLateProject(platform.db, projectId);
      if (found) late.saved = { tx: found.tx, seq: found.seq };
      else this.#all.delete(projectId);
      late.cursor = late.saved;
    } catch {
      // The next step fails as well, and asks again.
    }
    return failedMs;
  }
}
