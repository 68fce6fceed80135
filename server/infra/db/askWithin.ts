import type pg from 'pg';
import { isSpoilt, query } from './runner.ts';
import type { Statement } from './statements.ts';

interface Connections {
  connect: () => Promise<pg.PoolClient>;
  /** A separate pool, because all connections of the first may be busy with the statements to cancel. */
  canceller: pg.Pool;
}

/** How long to wait before cancelling again, in case the statement had not yet arrived at the first attempt. */
const againMs = 20;

/**
 * Runs a read-only statement and cancels it when its time is up; the error is then a timeout (`isTimeout`). The time
 * limit of the database itself would need a transaction around the statement, and so two more statements.
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
    // Otherwise the cancellation could hit the next statement on this connection.
    await cancelled;
    client.release(spoilt);
  }
}

async function cancel(
  canceller: pg.Pool,
  { processID }: pg.PoolClient & { processID?: number },
): Promise<void> {
  // If this fails, the time limit that applies to every statement remains.
  await canceller.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
}
