import type { Pool, PoolClient } from 'pg';
import type { Log } from '#server/infra/log.ts';

// The jobs of a killed worker stay locked, by default for four hours. So each worker holds an advisory lock on its
// listening connection, named by its id: the database releases the lock as soon as the worker dies, so if another
// process can acquire it, the worker is dead.

/** Holds the lock that shows that a worker is alive, for as long as this connection lasts. */
export function holdLock(client: PoolClient, workerId: string, log: Log): void {
  // The library is about to send its LISTEN on this connection; our query must follow it.
  client.once('drain', () => {
    client
      .query('select pg_advisory_lock(hashtextextended($1, 0))', [workerId])
      .catch(error =>
        log('warn', 'The lock of the job worker could not be acquired', { error: String(error) }),
      );
  });
}

/** Unlocks the jobs of dead workers, so that another worker can run them. */
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
