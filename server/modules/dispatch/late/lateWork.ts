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
  /** The time until which the events of the shard were read. */
  readUntil: () => Date;
  book: ModuleRegistry;
  waiting: (key: string) => number;
  add: (runs: readonly NewRun[]) => void;
}

interface Late {
  cursor: EventCursor;
  /** In the database. */
  saved: EventCursor;
  /** The time until which its events were read. */
  readUntil: Date;
  /** When it may rejoin its shard. */
  rejoinMs: number;
  /** It was late already when the process before this one ended, maybe because of it. */
  isDoubtful: boolean;
  /** How many events a step can use, according to the states of the devices of the last one. */
  eventsWithin: number;
  /** Not before this, by `performance.now()`: its last step failed. */
  retryMs: number;
}

/**
 * Dispatches the events of late projects of a shard, one project after the other: what they wait for, nobody else waits
 * for. A project rejoins its shard once both have been read equally far.
 */
export class LateWork {
  readonly #given: Given;
  readonly #all = new Map<string, Late>();
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  /** The project whose events are dispatched. */
  #busyWith: string | undefined;
  /** The project of which it is found out whether it can rejoin its shard. */
  #rejoining: string | undefined;

  constructor(given: Given) {
    this.#given = given;
    this.#done = this.#work();
  }

  has(projectId: string): boolean {
    return this.#all.has(projectId);
  }

  /** The time until which the events of each project were read. */
  get readUntil(): [projectId: string, until: Date][] {
    return [...this.#all].map(([projectId, { readUntil }]) => [projectId, readUntil]);
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
    await this.#done;
  }

  /** Lets a project rejoin its shard that was read as far as the shard. Called between two steps of the shard. */
  async rejoinOne(): Promise<boolean> {
    const nowMs = this.#given.platform.clock().getTime();
    const found = [...this.#all].find(([id, late]) => id !== this.#busyWith && mayRejoin(late, nowMs));
    if (!found) return false;
    const [projectId, late] = found;
    this.#rejoining = projectId;
    try {
      const hasRejoined = await this.#rejoin(projectId, late);
      if (!hasRejoined) late.rejoinMs = nowMs + againMs;
      return hasRejoined;
    } finally {
      this.#rejoining = undefined;
    }
  }

  async #rejoin(projectId: string, late: Late): Promise<boolean> {
    const { platform, holder, held, reads } = this.#given;
    const { cursor } = held;
    if (isBefore(cursor, late.cursor)) return false;
    if (isBefore(late.cursor, cursor)) {
      const { events } = await this.#read(reads, projectId, late, { upTo: cursor, max: 1 });
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
    const begun = { cursor, saved: cursor, readUntil: new Date(0), retryMs: 0 };
    this.#all.set(projectId, { ...begun, rejoinMs, isDoubtful, eventsWithin: eventsMax });
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let isMore = false;
      for (const [projectId, late] of this.#all) {
        if (signal.aborted) return;
        if (projectId === this.#rejoining || performance.now() < late.retryMs) continue;
        this.#busyWith = projectId;
        const stepped = this.#step(projectId, late).catch(error => this.#failed(projectId, late, error));
        isMore = (await stepped) || isMore;
        this.#busyWith = undefined;
      }
      if (!isMore) await pause(restMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns true if there may be more to read at once. */
  async #step(projectId: string, late: Late): Promise<boolean> {
    const { platform, holder, held, lateReads, book, add } = this.#given;
    const [upTo, until] = [held.cursor, this.#given.readUntil()];
    if (isBefore(late.cursor, upTo)) {
      const max = Math.floor(matchesMax / Math.max(1, book.receiving(projectId).length));
      const asked = Math.max(eventsMin, Math.min(late.eventsWithin, max));
      const { events, cursor } = await this.#read(lateReads, projectId, late, { upTo, max: asked });
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
    }
    if (isBefore(late.cursor, upTo)) return true;
    late.readUntil = until;
    return false;
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

  #read(reads: Db, projectId: string, { cursor }: Late, { upTo, max }: { upTo: EventCursor; max: number }) {
    const { since } = this.#given.held;
    return readNextEvents(reads, { cursor, upTo, since, projectIds: [projectId], max });
  }

  /** Goes on from where the database says it is. */
  async #failed(projectId: string, late: Late, error: unknown): Promise<boolean> {
    const { platform } = this.#given;
    if (this.#stop.signal.aborted) return false;
    if (!(error instanceof LeaseLost))
      platform.log('warn', 'Smart modules of a project wait for the database', { error: String(error) });
    late.retryMs = performance.now() + failedMs;
    try {
      const found = await findLateProject(platform.db, projectId);
      if (found) late.saved = { tx: found.tx, seq: found.seq };
      else this.#all.delete(projectId);
      late.cursor = late.saved;
    } catch {
      // The next step fails as well, and asks again.
    }
    return false;
  }
}

/** What is further away was set while the clock was ahead. */
const mayRejoin = ({ rejoinMs }: Late, nowMs: number) => nowMs >= rejoinMs || rejoinMs > nowMs + apartMs;
