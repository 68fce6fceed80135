import type { Pool, PoolClient } from 'pg';
import type { Log } from '#server/log.ts';

// A killed worker's jobs stay locked, by default for four hours. So each worker holds an advisory lock named by its
// id on its listening connection: the database lets go of it the moment the worker dies, and whoever can take it
// knows that the worker is gone.

/** Shows that a worker lives, for as long as this connection does. */
export function holdLock(client: PoolClient, workerId: string, log: Log): void {
  // The library is about to send its LISTEN on this connection; ours goes after it.
  client.once('drain', () => {
    client
      .query('select pg_advisory_lock(hashtextextended($1, 0))', [workerId])
      .catch(error =>
        log('warn', 'The lock of the job worker could not be acquired', { error: String(error) }),
      );
  });
}

/** Gives the jobs of dead workers free, to be done by the next. */
export async function freeAbandoned(pool: Pool, lockedLongerThanMs: number): Promise<void> {
  await pool.query(
    `select graphile_worker.force_unlock_workers(array(
      select worker.id
      from (
        select locked_by as id from graphile_worker.jobs
        where locked_at < now() - make_interval(secs => $1::double precision / 1000)
        group by locked_by
      ) as worker
      where pg_try_advisory_xact_lock(hashtextextended(worker.id, 0))))`,
    [lockedLongerThanMs],
  );
}
