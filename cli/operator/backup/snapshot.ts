import pg from 'pg';
import { minuteMs } from '#rules/time/durations.ts';
import { backupLockKey } from '#server/infra/db/backupLock.ts';
import { errorCode } from '#server/infra/errorCode.ts';
import { StartFault } from '#server/infra/startFault.ts';
import { findTables, sqlNameOf } from './contents.ts';

const lockMs = minuteMs;

/** Makes text output independent of the settings of a database or its user, and removes time limits. */
export const plainSession = `
  set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 3; set bytea_output = 'hex'; set search_path = public; set lock_timeout = ${lockMs};
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;`;

/**
 * Provides a connection with a snapshot of the database at one moment, regardless of concurrent writes. Writers are not
 * affected: only operations that would drop a table or remove a file wait (`server/infra/db/backupLock.ts`).
 */
export async function withSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mooring backup',
    keepAlive: true,
  });
  // If the connection breaks between two statements, the next one reports it.
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
