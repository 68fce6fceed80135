import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { minuteMs } from '#rules/time/durations.ts';
import { HangWatch } from './hangWatch.ts';
import type { Pulse } from './pulse.ts';
import { DatabaseUnavailable, translated } from './unavailable.ts';

/** How long a caller waits for a database that restarts; the embedded one takes a fraction of this. */
const patienceMs = 2_000;
/** How long a caller waits for a free connection. */
const queueMs = 5_000;
/** None of our statements takes this long; one that does would block its connection for everyone else. */
const statementMs = minuteMs;
/** A database that has not even reported the end of that time hangs, and does not get another statement here. */
const answerWithinMs = statementMs + 5_000;
/**
 * A new connection is a new database process, which has to authenticate and plan every statement again. So a connection
 * opened for a burst is kept until the next one.
 */
const idleMs = 10 * minuteMs;
const backOffMs = 25;
const backOffMaxMs = 250;

const dateOid = 1082;

export interface ConnectionOptions {
  max: number;
  /**
   * `generic`: a statement is planned once, for any values. Otherwise PostgreSQL plans its first five executions in
   * each connection for their values; with few statistics on a column, such a plan may sort a whole table.
   */
  plans?: 'generic' | undefined;
  /** Takes in the errors of statements, and knows how the database is. */
  pulse?: Pick<Pulse, 'note' | 'check'> | undefined;
}

/** A pool that survives restarts of the database. */
export function connectionTo(
  url: string,
  { max, plans, pulse }: ConnectionOptions,
): { pool: pg.Pool; connect(): Promise<pg.PoolClient>; end(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: queueMs,
    idleTimeoutMillis: idleMs,
    ...(plans && { options: `-c plan_cache_mode=force_${plans}_plan` }),
    statement_timeout: statementMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    // Statements are sent without waiting for the previous answer: see `transaction`.
    pipeline: true,
    application_name: 'mooring',
    types: { getTypeParser },
  });
  // Without these two handlers, a connection that breaks while idle or waiting would end the process. The pool removes
  // such a connection, and a caller that uses it gets the error from its statement.
  pool.on('error', () => undefined);
  pool.on('connect', client => client.on('error', () => undefined));

  const watch = pulse && new HangWatch(pool, () => pulse.check());

  /** No statement has been sent yet, so retrying is safe for reads and writes alike. */
  async function connect(): Promise<pg.PoolClient> {
    const deadline = Date.now() + patienceMs;
    for (let waitMs = backOffMs; ; waitMs = Math.min(waitMs * 2, backOffMaxMs)) {
      if (watch?.isHanging) throw new DatabaseUnavailable('The database does not answer.');
      try {
        return await pool.connect();
      } catch (cause) {
        const error = translated(cause);
        if (!(error instanceof DatabaseUnavailable) || Date.now() + waitMs > deadline) throw error;
        await pause(waitMs);
      }
    }
  }

  const end = async () => {
    await watch?.end();
    await pool.end();
  };

  return { pool, connect, end };
}

/** A calendar date stays text: it has no time zone, and as a `Date` it would be another day elsewhere. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) =>
  oid === dateOid ? (value: string) => value : pg.types.getTypeParser(oid, format as 'text');
