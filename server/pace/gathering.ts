import type { Log } from '#server/log.ts';

const flushMs = 1000;

interface Options<Counts> {
  /** What is counted, for the log. */
  name: string;
  log: Log;
  make: (key: string) => Counts;
  /** Writes all of it, or fails and has written nothing. */
  keep: (all: Map<string, Counts>) => Promise<void>;
  /** Both together, where the earlier could not be written. */
  add: (earlier: Counts, later: Counts) => Counts;
}

/**
 * Counts in memory and writes about once a second: what is counted must not cost a write each time. What is counted when
 * the process stops in order is written; a crash loses at most the last second.
 */
export class Gathering<Counts> {
  readonly #options: Options<Counts>;
  #byKey = new Map<string, Counts>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: Options<Counts>) {
    this.#options = options;
  }

  /** What to count into, under a key. */
  of(key: string): Counts {
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
    const known = this.#byKey.get(key);
    if (known) return known;
    const made = this.#options.make(key);
    this.#byKey.set(key, made);
    return made;
  }

  /** Writes what is counted so far; what could not be written is counted on. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const all = this.#byKey;
    if (all.size === 0) return;
    this.#byKey = new Map();
    try {
      // In the order of the keys: two processes that add to the same rows must not wait for each other in a circle.
      await this.#options.keep(new Map([...all].toSorted(([a], [b]) => (a < b ? -1 : 1))));
    } catch (error) {
      const { log, name, add } = this.#options;
      log('warn', `Counts of ${name} are waiting for the database`, { error: String(error) });
      for (const [key, earlier] of all) {
        const later = this.#byKey.get(key);
        this.#byKey.set(key, later === undefined ? earlier : add(earlier, later));
      }
      this.#timer ??= setTimeout(() => void this.flush(), flushMs);
    }
  }
}
