import type pg from 'pg';
import { isSpoilt, query } from './runner.ts';
import type { Statement } from './statements.ts';

interface Connections {
  connect: () => Promise<pg.PoolClient>;
  /** Another pool, because all of the first may be busy with what is to be cancelled. */
  canceller: pg.Pool;
}

/** A statement that had not arrived yet when it was cancelled is cancelled again after so long. */
const againMs = 20;

/**
 * Runs a statement that only reads, and cancels it when its time is up: a time-out, as `isTimeout` tells. The database
 * has a time limit of its own, but for a single statement it needs a transaction around it, and so two more.
 */
export async function askWithin(
  { connect, canceller }: Connections,
  ms: number,
  statement: Statement,
): Promise<pg.QueryResult> {
  const client = await connect();
  let isOver = false;
  let cancelled: Promise<void> | undefined;
  let timer = setTimeout(end, ms);
  function end() {
    cancelled = cancel(canceller, client).then(() => {
      if (!isOver) timer = setTimeout(end, againMs);
    });
  }
  let spoilt = false;
  try {
    return await query(client, statement);
  } catch (error) {
    spoilt = isSpoilt(error);
    throw error;
  } finally {
    isOver = true;
    clearTimeout(timer);
    // Else it could meet the next statement of the connection.
    await cancelled;
    client.release(spoilt);
  }
}

async function cancel(
  canceller: pg.Pool,
  { processID }: pg.PoolClient & { processID?: number },
): Promise<void> {
  // Where that fails, there is still the time limit of every statement.
  await canceller.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
}
