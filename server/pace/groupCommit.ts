import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '#server/db/sql.ts';
import { errorCode } from '#server/errorCode.ts';

const retryMs = 200;

/** In place of an answer: it comes again with the next batch, before all that came since. */
export const notYet = Symbol('not yet');

interface Options<In, Out> {
  /** Does all of them, and answers for each in its place. */
  run: (items: In[]) => Promise<(Out | typeof notYet)[]>;
  itemsMax: number;
  /** True: while the database is away items wait for it; else they fail with it. */
  patient?: boolean;
  /** How long the first item waits for others; one turn of the loop unless given. */
  gatherMs?: number;
}

interface Waiting<In, Out> {
  item: In;
  done: (out: Out) => void;
  failed: (error: unknown) => void;
}

/**
 * Gathers what comes in one turn of the loop, and while the batch before is under way, and has it done at once. What
 * cannot be done is done again without the others, so that one bad item fails alone: `run` must not do things twice.
 */
export class GroupCommit<In, Out> {
  readonly #options: Options<In, Out>;
  #waiting: Waiting<In, Out>[] = [];
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(options: Options<In, Out>) {
    this.#options = options;
  }

  add(item: In): Promise<Out> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, done, failed });
      this.#working ??= this.#workAll();
    });
  }

  /** Resolves when all that was added is done, or has failed; what comes from now on waits for no database. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  async #workAll(): Promise<void> {
    const { gatherMs } = this.#options;
    await new Promise(resolve =>
      gatherMs === undefined || this.#stopped ? setImmediate(resolve) : setTimeout(resolve, gatherMs),
    );
    while (this.#waiting.length > 0) await this.#work(this.#waiting.splice(0, this.#options.itemsMax));
    this.#working = undefined;
  }

  async #work(items: Waiting<In, Out>[]): Promise<void> {
    for (;;) {
      try {
        const outs = await this.#options.run(items.map(({ item }) => item));
        this.#waiting.unshift(...items.filter((_, at) => outs[at] === notYet));
        for (const [at, { done }] of items.entries()) if (outs[at] !== notYet) done(outs[at] as Out);
        return;
      } catch (error) {
        if (this.#mayTryAgain(error)) {
          await pause(Math.random() * retryMs);
          continue;
        }
        if (items.length > 1 && isRefused(error)) return this.#workApart(items);
        for (const { failed } of items) failed(error);
        return;
      }
    }
  }

  /** Two that met in the database's rows were undone whole, and will hardly meet again. */
  #mayTryAgain(error: unknown): boolean {
    if (this.#stopped) return false;
    return isCollision(error) || (this.#options.patient === true && error instanceof DatabaseUnavailable);
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

/** SQLSTATE classes 22 and 23: something about one of the items itself. */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(errorCode(error) ?? '');
}
