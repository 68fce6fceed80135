import type { Log } from '#server/infra/log.ts';

const flushMs = 1000;

interface Options<Counts> {
  /** The name of these counts in the log. */
  name: string;
  log: Log;
  make: (key: string) => Counts;
  /** Writes all counts, or fails without writing any. */
  store: (all: Map<string, Counts>) => Promise<void>;
  /** Merges two counts if the earlier ones could not be written. */
  add: (earlier: Counts, later: Counts) => Counts;
}

/**
 * Counts in memory and writes about once a second, so that not every count costs a write. Counts are also written when
 * the process stops normally; a crash loses at most those of the last second.
 */
export class Gathering<Counts> {
  readonly #options: Options<Counts>;
  #byKey = new Map<string, Counts>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: Options<Counts>) {
    this.#options = options;
  }

  /** The counts under a key, to be changed by the caller. */
  of(key: string): Counts {
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
    const known = this.#byKey.get(key);
    if (known) return known;
    const made = this.#options.make(key);
    this.#byKey.set(key, made);
    return made;
  }

  /** Writes the counts so far; if that fails, they are kept for the next write. */
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
      // Sorted by key, so that two processes that update the same rows do not deadlock.
      await this.#options.store(new Map([...all].toSorted(([a], [b]) => (a < b ? -1 : 1))));
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
