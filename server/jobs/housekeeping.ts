import type { Sql } from 'sql-template-tag';
import type { Db } from '#server/db/sql.ts';
import type { Log } from '#server/log.ts';
import type { Task } from './jobs.ts';

/** Rows that have had their time. A slice whose rows expire adds its own to the list that `keepHouse` is given. */
export interface Chore {
  name: string;
  /** Deletes one batch, `returning 1`: no lock is held for long, however many rows there are. */
  deletes(now: Date): Sql;
}

export const batch = 1000;
const dayMs = 24 * 3_600_000;

/** The time that long ago. */
export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * dayMs);

interface Keeping {
  db: Db;
  clock: () => Date;
  log: Log;
  chores: readonly Chore[];
}

/**
 * The hourly job. A chore that fails keeps none of the others from being done. When the server stops it leaves the rest to
 * the next hour.
 */
export function keepHouse({ db, clock, log, chores }: Keeping): Task<'keepHouse'> {
  return async (_payload, { signal }) => {
    for (const chore of chores) {
      await finish(db, chore, { now: clock(), signal }).catch(error =>
        log('error', `Housekeeping of ${chore.name} failed`, { error: String(error) }),
      );
    }
  };
}

async function finish(
  db: Db,
  chore: Chore,
  { now, signal }: { now: Date; signal: AbortSignal | undefined },
): Promise<void> {
  let deleted: number;
  do {
    if (signal?.aborted) return;
    deleted = (await db.many(chore.deletes(now))).length;
  } while (deleted === batch);
}

/** When it is done: see `cron` of `startJobs`. */
export const housekeepingHourly = { task: 'keepHouse', at: '17 * * * *' } as const;
