import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartFault } from '#server/infra/startFault.ts';

/** A step of the schema, as written in its file. */
export interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** The oldest server whose SQL the migrations may rely on. */
const serverVersionMin = 14;
/** An arbitrary key for an advisory lock. */
const lockKey = 7_264_001;
const ownFolder = join(import.meta.dirname, 'migrations');

/**
 * Brings the schema up to date with the files of the folder: forward only, each file once and in its own transaction,
 * so that the next start resumes one that was killed. Of several processes, one works while the others wait. Returns
 * the names of the applied files.
 */
export async function migrate(url: string, folder = ownFolder): Promise<string[]> {
  const migrations = readMigrations(folder);
  const client = new pg.Client({ connectionString: url, application_name: 'mooring migrate' });
  // A connection that breaks between two statements is reported by the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await checkServer(client);
    // Held by the connection, so it is released however this process ends.
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const pending = compare(migrations, await appliedTo(client));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Applies these steps to an empty database, in the transaction in which a restore then adds the rows. */
export async function buildSchema(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await checkServer(client);
  // A server that starts in the meantime waits.
  await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
  await appliedTo(client);
  for (const migration of migrations) await applyOne(client, migration);
}

export function readMigrations(folder = ownFolder): Migration[] {
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'));
  for (const name of names) {
    const twin = names.find(other => other !== name && other.slice(0, 4) === name.slice(0, 4));
    if (!/^\d{4}_\w+\.sql$/.test(name))
      throw new StartFault(`${name}: a migration must be named like 0001_words.sql.`);
    if (twin)
      throw new StartFault(`${name} and ${twin} have the same number. Give one of them a later number.`);
  }
  return names.toSorted().map(name => {
    // Git may write other line ends on another system.
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  const found = rows[0]?.server_version ?? '0';
  if (Number.parseInt(found, 10) >= serverVersionMin) return;
  throw new StartFault(
    `The database is PostgreSQL ${found}; Mooring needs version ${serverVersionMin} or newer.`,
  );
}

async function appliedTo(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`create table if not exists schema_migration (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Returns the files not yet applied, after checking that the applied ones match the files of the folder. */
function compare(migrations: Migration[], applied: Map<string, string>): Migration[] {
  const unknown = [...applied.keys()].filter(name => !migrations.some(migration => migration.name === name));
  if (unknown.length > 0) {
    throw new StartFault(
      `The database was upgraded by a newer version of Mooring (${unknown.toSorted().join(', ')} is not known to this one). ` +
        'Start that version, or restore a backup made with this one.',
    );
  }
  const changed = migrations.find(
    ({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum,
  );
  if (changed) {
    throw new StartFault(
      `${changed.name} differs from what was applied to the database. ` +
        'An applied migration must not change: restore the file, and put the change into a new migration.',
    );
  }
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const last = [...applied.keys()].toSorted().at(-1) ?? '';
  const late = pending.find(({ name }) => name < last);
  if (late)
    throw new StartFault(
      `${late.name} comes before ${last}, which is already applied. Give it a later number.`,
    );
  return pending;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  await applyOne(client, migration);
  await client.query('commit');
}

async function applyOne(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  try {
    await client.query(text);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum]);
  } catch (error) {
    // Closing the connection rolls back. The driver's error does not name the file.
    throw new Error(
      `${name} could not be applied: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}
