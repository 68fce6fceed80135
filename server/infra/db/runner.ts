import type pg from 'pg';
import { errorCode } from '#server/infra/errorCode.ts';
import { observe } from '#server/infra/metrics.ts';
import type { Statement } from './statements.ts';
import { DatabaseUnavailable, isHanging, isReadOnly, isTimeout, translated } from './unavailable.ts';

type Connect = () => Promise<pg.PoolClient>;
export type Ask = (statement: Statement) => Promise<pg.QueryResult>;

/** Sends a statement together with the commit. Its rows are not returned; if it fails, so does the commit. */
export type AtCommit = (statement: Statement) => void;

export interface Runner {
  ask: Ask;
  transaction<T>(begin: string, work: (ask: Ask, atCommit: AtCommit) => Promise<T>): Promise<T>;
}

/** Runs statements on connections of the pool, alone or in a transaction, and retries those that are safe to retry. */
export function createRunner(connect: Connect): Runner {
  const transaction: Runner['transaction'] = (begin, work) => transact(connect, begin, work);

  /** Runs one statement on its own connection. If the connection breaks, a read-only statement is retried. */
  async function ask(statement: Statement): Promise<pg.QueryResult> {
    const client = await connect();
    try {
      const result = await query(client, statement);
      client.release();
      return result;
    } catch (error) {
      client.release(isSpoilt(error));
      // Every connection that knew the old table fails once like this, and is then discarded.
      if (isStalePlan(error)) return ask(statement);
      // After a timeout, a retry would take as long again.
      if (error instanceof DatabaseUnavailable && !isTimeout(error) && !isHanging(error))
        return askReadOnly(statement, error);
      throw error;
    }
  }

  /**
   * Lets the database decide whether a statement only reads. Its text does not tell: a `select` can call a function
   * that writes. The retry refuses a write, and the caller then gets the first error.
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

/** Runs the work in a transaction on its own connection. */
async function transact<T>(
  connect: Connect,
  begin: string,
  work: (ask: Ask, atCommit: AtCommit) => Promise<T>,
): Promise<T> {
  const client = await connect();
  let spoilt = false;
  let isOver = false;
  const last: Statement[] = [];
  // Sent together with the first statement, which saves a round trip; the first caller waits for both.
  const begun = query(client, { text: begin });
  begun.catch(() => undefined);
  // After the transaction, the connection may belong to another one, and a late statement would become part of that.
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
    // If the work swallowed the error of a failed statement, the commit becomes a rollback without any error.
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
    // The connection is discarded; the error that led here is the one to report.
    return false;
  }
}

/** Whether the connection must not be used again. */
export function isSpoilt(error: unknown): boolean {
  return (error instanceof DatabaseUnavailable && !isTimeout(error)) || isStalePlan(error);
}

/** The columns of a table changed after the statement was prepared. Detected before anything is executed. */
export function isStalePlan(error: unknown): boolean {
  return errorCode(error) === '0A000' && error instanceof Error && error.message.includes('cached plan');
}
