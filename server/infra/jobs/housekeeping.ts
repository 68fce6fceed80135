import type { Sql } from 'sql-template-tag';
import { dayMs } from '#rules/time/durations.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Log } from '#server/infra/log.ts';
import type { Task } from './jobs.ts';

/** Deletes expired rows. A slice whose rows expire adds its chores to the list that `keepHouse` gets. */
export interface Chore {
  name: string;
  /** Deletes one batch, `returning 1`: locks are short, however many rows there are. */
  deletes(now: Date): Sql;
}

export const batch = 1000;

export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * dayMs);

interface Keeping {
  db: Db;
  clock: () => Date;
  log: Log;
  chores: readonly Chore[];
}

/**
 * The hourly job. A chore that fails does not prevent the others. When the server stops, the remaining chores wait for
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

/** When the job runs: see `cron` of `startJobs`. */
export const housekeepingHourly = { task: 'keepHouse', at: '17 * * * *' } as const;
