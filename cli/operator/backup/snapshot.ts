import pg from 'pg';
import { backupLockKey } from '#server/db/backupLock.ts';
import { errorCode } from '#server/errorCode.ts';
import { StartFault } from '#server/startFault.ts';
import { findTables, sqlNameOf } from './contents.ts';

const lockMs = 60_000;

/** Text that does not depend on how a database or its user is set up, and as much time as it takes. */
export const plainSession = `
  set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 3; set bytea_output = 'hex'; set search_path = public; set lock_timeout = ${lockMs};
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;`;

/**
 * Gives a connection that sees the database as it was at one moment, whatever is written meanwhile. Writers do not notice:
 * only what would drop a table or remove a file waits (`server/db/backupLock.ts`).
 */
export async function withSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mooring backup',
    keepAlive: true,
  });
  // A connection that breaks between two statements is reported by the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(plainSession);
    await client.query('select pg_advisory_lock($1)', [backupLockKey]).catch(isRunning);
    await client.query('begin isolation level repeatable read read only');
    const tables = await findTables(client);
    if (!tables.some(({ name }) => name === 'developers'))
      throw new StartFault('There is nothing to back up: the database has no tables of Mooring.');
    await client.query(`lock table ${tables.map(sqlNameOf).join(', ')} in access share mode`);
    return await work(client);
  } finally {
    await client.end();
  }
}

function isRunning(error: unknown): never {
  throw errorCode(error) === '55P03'
    ? new StartFault('Another backup is running. Wait until it ends.')
    : error;
}
