import type pg from 'pg';
import { errorCode } from '#server/errorCode.ts';
import { observe } from '#server/metrics.ts';
import type { Statement } from './statements.ts';
import { DatabaseUnavailable, isReadOnly, isTimeout, translated } from './unavailable.ts';

type Connect = () => Promise<pg.PoolClient>;
export type Ask = (statement: Statement) => Promise<pg.QueryResult>;

/** Has a statement sent together with the commit. Nobody learns of its rows; if it fails, so does the commit. */
export type AtCommit = (statement: Statement) => void;

export interface Runner {
  ask: Ask;
  transaction<T>(begin: string, work: (ask: Ask, atCommit: AtCommit) => Promise<T>): Promise<T>;
}

/** Runs statements on connections of the pool, alone or as a transaction, and retries what may be retried. */
export function createRunner(connect: Connect): Runner {
  const transaction: Runner['transaction'] = (begin, work) => transact(connect, begin, work);

  /** One statement on a connection of its own. What broke on the way is asked again, if it only reads. */
  async function ask(statement: Statement): Promise<pg.QueryResult> {
    const client = await connect();
    try {
      const result = await query(client, statement);
      client.release();
      return result;
    } catch (error) {
      client.release(isSpoilt(error));
      // The same for every connection that knew the old table, each of which is gone after its turn.
      if (isStalePlan(error)) return ask(statement);
      if (error instanceof DatabaseUnavailable && !isTimeout(error)) return askReadOnly(statement, error);
      throw error;
    }
  }

  /**
   * The database itself says whether a statement only reads, which its text does not: a `select` can call a
   * function that writes. A write is refused here, and its caller told of the first failure.
   */
  async function askReadOnly(statement: Statement, first: DatabaseUnavailable): Promise<pg.QueryResult> {
    try {
      return await transaction('begin read only', again => again(statement));
    } catch (error) {
      throw isReadOnly(error) ? first : error;
    }
  }

  return { ask, transaction };
}

/** Runs the work in a transaction on a connection of its own. */
async function transact<T>(
  connect: Connect,
  begin: string,
  work: (ask: Ask, atCommit: AtCommit) => Promise<T>,
): Promise<T> {
  const client = await connect();
  let spoilt = false;
  let isOver = false;
  const last: Statement[] = [];
  // On its way together with the first statement, which saves a round trip; who asks first waits for both.
  const begun = query(client, { text: begin });
  begun.catch(() => undefined);
  // Another transaction may have the connection by then, and the statement would become part of that.
  const askInside: Ask = async statement => {
    if (isOver) throw new Error('The transaction is over: its work did not wait for all it had begun.');
    const [, result] = await Promise.all([begun, query(client, statement)]);
    return result;
  };
  try {
    const result = await work(askInside, statement => last.push(statement));
    isOver = true;
    const sent = last.map(statement => query(client, statement));
    const [{ command }] = await Promise.all([query(client, { text: 'commit' }), begun, ...sent]);
    // A failed statement whose error the work swallowed makes a rollback of the commit, without any error.
    if (command !== 'COMMIT')
      throw new Error('Nothing was saved: a statement of the transaction had failed.');
    return result;
  } catch (error) {
    isOver = true;
    spoilt = isSpoilt(error) || !(await rolledBack(client));
    throw error;
  } finally {
    client.release(spoilt);
  }
}

export async function query(client: pg.PoolClient, statement: Statement): Promise<pg.QueryResult> {
  const beganMs = performance.now();
  try {
    return await client.query(statement);
  } catch (error) {
    throw translated(error);
  } finally {
    observe('mooring_database_seconds', {}, performance.now() - beganMs);
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    // The connection is of no further use; the error that led here is the one to report.
    return false;
  }
}

/** Whether the connection must not be used again. */
export function isSpoilt(error: unknown): boolean {
  return (error instanceof DatabaseUnavailable && !isTimeout(error)) || isStalePlan(error);
}

/** A table changed its columns after the statement was prepared. Found before anything is executed. */
export function isStalePlan(error: unknown): boolean {
  return errorCode(error) === '0A000' && error instanceof Error && error.message.includes('cached plan');
}
