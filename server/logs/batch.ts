import type { Database } from '#server/db/sql.ts';
import { errorCode } from '#server/errorCode.ts';
import type { Platform } from '#server/platform.ts';
import { appendEntries, type NewEntry } from './append.ts';

const rowsMax = 500;
/** Past this many waiting entries the database is too slow or away: callers are told instead of memory filling up. */
const waitingMax = 50_000;
const retryMs = 500;
const retriesMax = 120;

interface Waiting {
  entry: NewEntry;
  kept: () => void;
  lost: (error: unknown) => void;
}

/**
 * Collects entries that have no transaction of their own and writes them many rows at a time. The promise resolves
 * when the entry is on disk; who acknowledges something to the outside waits for it, who only notes something does not.
 */
export class LogBatch {
  readonly #db: Database;
  readonly #gatherMs: number | undefined;
  readonly #platform: Pick<Platform, 'newId' | 'log'>;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  /** `gatherMs`: how long the first entry waits for others; one turn of the loop unless given. */
  constructor(
    db: Database,
    platform: Pick<Platform, 'newId' | 'log'>,
    { gatherMs }: { gatherMs?: number } = {},
  ) {
    this.#gatherMs = gatherMs;
    this.#db = db;
    this.#platform = platform;
  }

  append(entry: NewEntry): Promise<void> {
    if (this.#waiting.length >= waitingMax) return Promise.reject(new Error('The log is not being written.'));
    const written = new Promise<void>((kept, lost) => {
      const id = entry.id ?? this.#platform.newId('log', entry.ts);
      this.#waiting.push({ entry: { ...entry, id }, kept, lost });
      this.#writing ??= this.#writeAll();
    });
    // A rejection that nobody waits for would end the process; that the entry was lost is in the log by then.
    written.catch(() => undefined);
    return written;
  }

  /** Resolves when everything appended so far is on disk. */
  async drain(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // While a batch is being written the next one gathers by itself.
    await new Promise(resolve =>
      this.#gatherMs === undefined ? setImmediate(resolve) : setTimeout(resolve, this.#gatherMs),
    );
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, rowsMax));
    this.#writing = undefined;
  }

  async #write(batch: Waiting[]): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await appendEntries(
          this.#db,
          this.#platform,
          batch.map(one => one.entry),
        );
        for (const one of batch) one.kept();
        return;
      } catch (error) {
        if (isRefused(error)) return this.#writeApart(batch, error);
        if (tries === 0)
          this.#platform.log('warn', 'Log entries wait for the database', { error: String(error) });
        if (tries < retriesMax) {
          await new Promise(resolve => setTimeout(resolve, retryMs));
          continue;
        }
        return this.#lose(batch, error);
      }
    }
  }

  /** One entry that cannot be written must not take the others with it, nor hold them up. */
  async #writeApart(batch: Waiting[], error: unknown): Promise<void> {
    if (batch.length === 1) return this.#lose(batch, error);
    const half = Math.ceil(batch.length / 2);
    await this.#write(batch.slice(0, half));
    await this.#write(batch.slice(half));
  }

  #lose(batch: Waiting[], error: unknown): void {
    const actions = [...new Set(batch.map(({ entry }) => entry.action))];
    this.#platform.log('error', 'Log entries were lost', {
      count: batch.length,
      actions,
      error: String(error),
    });
    for (const one of batch) one.lost(error);
  }
}

/** SQLSTATE classes 22 and 23: the data itself is at fault, and no later try will help. */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(errorCode(error) ?? '');
}
