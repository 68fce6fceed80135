import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailable, translated } from './unavailable.ts';

/** How long a caller waits for a database that restarts; the embedded one is back within a fraction of it. */
const patienceMs = 2_000;
/** How long a caller waits for its turn when all connections are busy. */
const queueMs = 5_000;
/** No statement of ours works so long; one that does would keep a connection from everybody else. */
const statementMs = 60_000;
/**
 * A new connection is a process of the database that has to prove who we are and plan every statement again: one that a
 * burst needed is kept until the next, not closed between two of them.
 */
const idleMs = 10 * 60_000;
const backOffMs = 25;
const backOffMaxMs = 250;

const dateOid = 1082;

export interface ConnectionOptions {
  max: number;
  /**
   * `generic`: a statement is planned once, whatever its values. PostgreSQL else plans its first five times for the values
   * at hand, in each connection, and where it knows little of a column such a plan may sort a whole table.
   */
  plans?: 'generic' | undefined;
}

/** A pool that outlives restarts of the database. */
export function connectionTo(
  url: string,
  { max, plans }: ConnectionOptions,
): { pool: pg.Pool; connect(): Promise<pg.PoolClient> } {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: queueMs,
    idleTimeoutMillis: idleMs,
    ...(plans && { options: `-c plan_cache_mode=force_${plans}_plan` }),
    statement_timeout: statementMs,
    keepAlive: true,
    // What is asked without waiting for the answer before is sent at once: see `transaction`.
    pipeline: true,
    application_name: 'mooring',
    types: { getTypeParser },
  });
  // Without these two an idle or a waiting connection that breaks would end the process. The pool drops such a
  // connection by itself, and who works on it learns from the statement.
  pool.on('error', () => undefined);
  pool.on('connect', client => client.on('error', () => undefined));

  /** Nothing was asked yet, so that trying again is safe for reads and writes alike. */
  async function connect(): Promise<pg.PoolClient> {
    const deadline = Date.now() + patienceMs;
    for (let waitMs = backOffMs; ; waitMs = Math.min(waitMs * 2, backOffMaxMs)) {
      try {
        return await pool.connect();
      } catch (cause) {
        const error = translated(cause);
        if (!(error instanceof DatabaseUnavailable) || Date.now() + waitMs > deadline) throw error;
        await pause(waitMs);
      }
    }
  }

  return { pool, connect };
}

/** A calendar date has no time zone: as a `Date` it would be another day elsewhere. It stays text. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) =>
  oid === dateOid ? (value: string) => value : pg.types.getTypeParser(oid, format as 'text');
