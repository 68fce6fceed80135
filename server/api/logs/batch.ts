import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import type { Database } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { appendEntries, type NewEntry } from './append.ts';

declare module '#server/infra/platform.ts' {
  interface Platform {
    /** For device log entries that no caller waits for. */
    systemLog: LogBatch;
  }
}

const rowsMax = 500;
/** Beyond this many buffered entries, appending fails instead of filling up memory. */
const waitingMax = 50_000;
/** Retries for about a minute. */
const retry = { timesMax: 120, pauseMs: 500 };

/**
 * Buffers entries that have no transaction of their own, and writes them in batches. The promise resolves once
 * the entry is on disk: await it before acknowledging anything, ignore it otherwise.
 */
export class LogBatch {
  readonly #platform: Pick<Platform, 'newId' | 'log'>;
  readonly #batch: GroupCommit<NewEntry, undefined>;

  /** `gatherMs`: how long the first entry waits for others; one turn of the event loop by default. */
  constructor(
    db: Database,
    platform: Pick<Platform, 'newId' | 'log'>,
    { gatherMs }: { gatherMs?: number } = {},
  ) {
    this.#platform = platform;
    this.#batch = new GroupCommit({
      name: 'log',
      run: async entries => {
        await appendEntries(db, platform, entries);
        return entries.map(() => undefined);
      },
      itemsMax: rowsMax,
      retry,
      ...(gatherMs !== undefined && { gatherMs }),
      onRetry: error =>
        platform.log('warn', 'Log entries are waiting for the database', { error: String(error) }),
      onFailed: (entries, error) =>
        platform.log('error', 'Log entries were lost', {
          count: entries.length,
          actions: [...new Set(entries.map(({ action }) => action))],
          error: String(error),
        }),
    });
  }

  append(entry: NewEntry): Promise<void> {
    const isFull = this.#batch.waiting >= waitingMax;
    // With its id from the first attempt on, so that a retry stores nothing twice.
    const written = isFull
      ? Promise.reject(new Error('The log cannot be written.'))
      : this.#batch.add({ ...entry, id: entry.id ?? this.#platform.newId('log', entry.ts) });
    // An unhandled rejection would end the process; the loss was already logged.
    written.catch(() => undefined);
    return written;
  }

  /** Resolves when everything appended so far is on disk. */
  drain(): Promise<void> {
    return this.#batch.drain();
  }
}
