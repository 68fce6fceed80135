import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { dispatchEvents, LeaseLost } from './dispatchEvents.ts';
import { storeDue, storeElapsed } from './dueModules.ts';
import type { LaneRunner } from './laneRunner.ts';
import { LateWork } from './late/lateWork.ts';
import { type KnownModule, keyOf, ModuleRegistry } from './moduleRegistry.ts';
import { pauses, pollInterval } from './pollInterval.ts';
import { type HeldShard, moveCursor } from './shardLease.ts';

const failedMs = 500;
const dueMs = 1_000;
const savedMs = 2_000;
const sweptMs = 10_000;

interface Given {
  held: HeldShard;
  holder: string;
  /** The connection that reads events. */
  reads: Db;
  /** The same for late projects. */
  lateReads: Db;
  types: readonly ModuleType[];
  runner: LaneRunner;
}

/** Works on one shard while its lease lasts. */
export class ShardWork {
  readonly #platform: Platform;
  readonly #given: Given;
  readonly #book: ModuleRegistry;
  readonly #late: LateWork;
  #isLoaded = false;
  readonly #done: Promise<void>;
  #known: readonly KnownModule[] = [];
  #stop = new AbortController();
  #alarm = new AbortController();
  #at = { dueMs: 0, savedMs: 0, sweptMs: performance.now() };
  #restMs: number = pauses.leastMs;
  #isUnsaved = false;
  /** The time until which the events were read. */
  #readUntil = new Date(0);

  constructor(platform: Platform, given: Given) {
    this.#platform = platform;
    this.#given = given;
    this.#book = new ModuleRegistry(platform, { types: given.types, shard: given.held.shard });
    const { runner } = given;
    this.#late = new LateWork({
      ...given,
      platform,
      book: this.#book,
      readUntil: () => this.#readUntil,
      waiting: key => runner.waitingOf(key),
      add: runs => runner.add(runs),
    });
    this.#done = this.#work();
  }

  get isHeld(): boolean {
    return !this.#stop.signal.aborted && performance.now() < this.#given.held.untilMs;
  }

  renew(untilMs: number): void {
    this.#given.held.untilMs = untilMs;
  }

  wake(): void {
    this.#alarm.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#done;
  }

  async #work(): Promise<void> {
    while (this.isHeld) {
      try {
        const isMore = await this.#step();
        if (!isMore) await this.#rest();
      } catch (error) {
        if (error instanceof LeaseLost) break;
        this.#platform.log('warn', 'Smart modules wait for the database', { error: String(error) });
        await pause(failedMs);
      }
    }
    this.#stop.abort();
    await this.#late.stop();
    // Those that were about to be taken as well.
    for (const { module } of [...this.#known, ...this.#book.all]) this.#given.runner.leave(keyOf(module));
    if (this.#isUnsaved) await this.#save().catch(() => undefined);
  }

  async #rest(): Promise<void> {
    await pause(this.#restMs, undefined, { signal: this.#alarm.signal }).catch(() => undefined);
    this.#restMs = Math.min(pauses.mostMs, this.#restMs * pauses.growth);
    if (this.#alarm.signal.aborted) this.#alarm = new AbortController();
  }

  /** Returns true if there may be more to do at once. */
  async #step(): Promise<boolean> {
    const { held, holder, reads, runner } = this.#given;
    await this.#loadLate();
    if (await this.#late.rejoinOne()) this.#isUnsaved = false;
    const [beganMs, begunAt] = [performance.now(), this.#platform.clock()];
    const dispatched = await dispatchEvents({
      platform: this.#platform,
      holder,
      reads,
      held,
      book: this.#book,
      waiting: key => runner.waitingOf(key),
      isLate: projectId => this.#late.has(projectId),
    });
    if (dispatched.late) this.#late.add(dispatched.late);
    if (!dispatched.isMore) this.#readUntil = begunAt;
    if (this.#book.all !== this.#known) await this.#takeModules();
    if (dispatched.hasRead) this.#restMs = pollInterval(performance.now() - beganMs);
    this.#isUnsaved = dispatched.isUnsaved || (this.#isUnsaved && !dispatched.isSaved);
    runner.add(dispatched.runs);
    const isMoreDue = await this.#everySoOften();
    return dispatched.isMore || isMoreDue;
  }

  /** Before any event is read: late projects are not read with the others. They need to know their modules. */
  async #loadLate(): Promise<void> {
    if (this.#isLoaded) return;
    await this.#book.read();
    await this.#late.load();
    this.#isLoaded = true;
  }

  /** Known only once the runner has them: if it fails, they are taken in the next step. */
  async #takeModules(): Promise<void> {
    const { all } = this.#book;
    await this.#given.runner.take(all, this.#known);
    this.#known = all;
  }

  async #everySoOften(): Promise<boolean> {
    const nowMs = performance.now();
    const { runner } = this.#given;
    let isMore = false;
    if (nowMs - this.#at.dueMs >= dueMs) {
      isMore = await this.#storeDue();
      if (!isMore) this.#at.dueMs = nowMs;
    }
    if (this.#isUnsaved && nowMs - this.#at.savedMs >= savedMs) {
      this.#at.savedMs = nowMs;
      await this.#save();
    }
    if (nowMs - this.#at.sweptMs >= sweptMs) {
      this.#at.sweptMs = nowMs;
      await runner.sweep(this.#known.filter(({ module, isParked }) => !module.suspended && !isParked));
    }
    return isMore;
  }

  async #storeDue(): Promise<boolean> {
    const { held, types, runner } = this.#given;
    if (this.#known.some(({ type }) => type.dueAfter))
      runner.add(await storeDue(this.#platform, { shard: held.shard, types }));
    let isMore = false;
    for (const type of new Set(this.#known.map(({ type }) => type))) {
      if (!type.elapsed) continue;
      const read = { shard: held.shard, until: this.#readUntil, late: this.#late.readUntil };
      const elapsed = await storeElapsed(this.#platform, type, read);
      isMore ||= elapsed.isMore;
      runner.add(elapsed.runs);
    }
    return isMore;
  }

  async #save(): Promise<void> {
    const { held, holder } = this.#given;
    const next = held.cursor;
    if (!(await moveCursor(this.#platform.db, holder, held, next))) throw new LeaseLost();
    held.saved = next;
    this.#isUnsaved = false;
  }
}
