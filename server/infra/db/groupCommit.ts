import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '#server/infra/db/sql.ts';
import { errorCode } from '#server/infra/errorCode.ts';
import { count, observe } from '#server/infra/metrics.ts';

const retryMs = 200;

/** Returned instead of a result: the item is retried in the next batch, before newer ones. */
export const notYet = Symbol('not yet');

interface Options<In, Out> {
  /** The name of this batch in the metrics. */
  name: string;
  /** Processes all items and returns a result for each, in order. `batch` is the same object in each retry. */
  run: (items: In[], batch: object) => Promise<(Out | typeof notYet)[]>;
  itemsMax: number;
  /**
   * How many batches may run at once; one by default. Items of one key never run in two batches at once, and keep their
   * order.
   */
  atOnce?: { batches: number; keyOf: (item: In) => string };
  /** True: items wait while the database is unavailable; otherwise they fail. */
  patient?: boolean;
  /**
   * Instead of `patient`: retries a batch up to `timesMax` times, after any failure that is not caused by one of its
   * items.
   */
  retry?: { timesMax: number; pauseMs: number };
  /** How long the first item waits for others; one turn of the event loop by default. */
  gatherMs?: number;
  /** Called when a batch has failed for the first time and is retried. */
  onRetry?: (error: unknown) => void;
  /** Called with items that have failed permanently, before their callers are notified. */
  onFailed?: (items: In[], error: unknown) => void;
}

interface Waiting<In, Out> {
  item: In;
  done: (out: Out) => void;
  failed: (error: unknown) => void;
}

/**
 * Group commit: collects items during one turn of the event loop, or while the previous batch runs, and processes them
 * in one transaction. If the database refuses a batch because of an item, its halves are run separately, until the bad
 * item fails alone; `run` must therefore be idempotent.
 */
export class GroupCommit<In, Out> {
  readonly #options: Options<In, Out>;
  #waiting: Waiting<In, Out>[] = [];
  #gathering: Promise<void> | undefined;
  readonly #running = new Set<Promise<void>>();
  /** The keys of running batches, and the size of the last batch. */
  readonly #busy = new Set<string>();
  #lastSize = 0;
  /** Too few of the waiting items could run beside the current batch: look again once this many wait. */
  #lookAt = 0;
  #stopped = false;

  constructor(options: Options<In, Out>) {
    this.#options = options;
  }

  /** Number of items that wait for a batch. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(item: In): Promise<Out> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, done, failed });
      if (this.#running.size > 0) this.#begin();
      else this.#gathering ??= this.#gather();
    });
  }

  /** Resolves once all items added so far are done or have failed; more may be added. */
  async drain(): Promise<void> {
    while (this.#gathering || this.#running.size > 0) await (this.#gathering ?? Promise.race(this.#running));
  }

  /** Resolves when all items are done or failed; items added from now on do not wait for the database. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.drain();
  }

  async #gather(): Promise<void> {
    const { gatherMs } = this.#options;
    await new Promise(resolve =>
      gatherMs === undefined || this.#stopped ? setImmediate(resolve) : setTimeout(resolve, gatherMs),
    );
    this.#gathering = undefined;
    this.#begin();
  }

  #begin(): void {
    const { atOnce } = this.#options;
    while (this.#running.size < (atOnce?.batches ?? 1)) {
      const items = this.#next();
      if (items.length === 0) return;
      this.#lastSize = items.length;
      const keys = atOnce ? items.map(({ item }) => atOnce.keyOf(item)) : [];
      for (const key of keys) this.#busy.add(key);
      const running = this.#work(items).then(() => {
        this.#running.delete(running);
        for (const key of keys) this.#busy.delete(key);
        this.#lookAt = 0;
        this.#begin();
      });
      this.#running.add(running);
    }
  }

  /**
   * The next batch. Beside a running batch, it must be at least half as large as the last one: many small batches would
   * cost more than they gain.
   */
  #next(): Waiting<In, Out>[] {
    const { itemsMax, atOnce } = this.#options;
    if (this.#running.size === 0 || !atOnce) return this.#waiting.splice(0, itemsMax);
    const least = Math.min(itemsMax, this.#lastSize) / 2;
    if (this.#waiting.length < Math.max(least, this.#lookAt)) return [];
    const isFree = ({ item }: Waiting<In, Out>) => !this.#busy.has(atOnce.keyOf(item));
    const items = this.#waiting.filter(isFree).slice(0, itemsMax);
    if (items.length < least) {
      this.#lookAt = this.#waiting.length * 1.5;
      return [];
    }
    const taken = new Set(items);
    this.#waiting = this.#waiting.filter(one => !taken.has(one));
    return items;
  }

  async #work(items: Waiting<In, Out>[]): Promise<void> {
    const { name, run, retry, onRetry, onFailed } = this.#options;
    const batch = {};
    for (let tries = 0; ; tries++) {
      try {
        const beganMs = performance.now();
        const outs = await run(
          items.map(({ item }) => item),
          batch,
        );
        observe('mooring_batch_seconds', { batch: name }, performance.now() - beganMs);
        count('mooring_batch_items_total', { batch: name }, items.length);
        this.#waiting.unshift(...items.filter((_, at) => outs[at] === notYet));
        for (const [at, { done }] of items.entries()) if (outs[at] !== notYet) done(outs[at] as Out);
        return;
      } catch (error) {
        if (items.length > 1 && isRefused(error)) return this.#workApart(items);
        if (this.#mayTryAgain(error, tries)) {
          if (tries === 0) onRetry?.(error);
          await pause(retry?.pauseMs ?? Math.random() * retryMs);
          continue;
        }
        onFailed?.(
          items.map(({ item }) => item),
          error,
        );
        for (const { failed } of items) failed(error);
        return;
      }
    }
  }

  /** The transaction was rolled back, and will hardly collide again. */
  #mayTryAgain(error: unknown, tries: number): boolean {
    const { retry, patient } = this.#options;
    if (this.#stopped || isRefused(error)) return false;
    if (retry) return tries < retry.timesMax;
    return isCollision(error) || (patient === true && error instanceof DatabaseUnavailable);
  }

  async #workApart(items: Waiting<In, Out>[]): Promise<void> {
    const half = Math.ceil(items.length / 2);
    await this.#work(items.slice(0, half));
    await this.#work(items.slice(half));
  }
}

/** Serialization failure and deadlock. */
function isCollision(error: unknown): boolean {
  return /^40(001|P01)$/.test(errorCode(error) ?? '');
}

/** SQLSTATE classes 22 and 23: an error caused by an item itself, which no retry can fix. */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(errorCode(error) ?? '');
}
