import type { Config } from '#server/infra/config.ts';
import { type Database, raw, sql } from '#server/infra/db/sql.ts';
import { createMasterKey, createSealing, opens, readMasterKey, type Sealing } from '#server/infra/sealing.ts';
import { InstallationFault } from './installationFault.ts';

/** What cannot be read without the key, in words for an operator. */
export const losses =
  'two-factor secrets, device keys that can be shown, secrets of sign-in methods, webhooks and smart modules, ' +
  'signing keys of proxy routes, and queued e-mails';

/** Where secrets are stored for long: a key that opens one of them opens all. */
const sealedColumns = {
  developers: 'totp_secret',
  devices: 'key_sealed',
  user_auth_methods: 'client_secret',
  smart_modules: 'secrets',
  webhook_secrets: 'secret',
  proxy_routes: 'key_sealed',
  mails: 'content',
};

/** Any secret of the database; one that an earlier version has made does not have all the columns. */
export async function findSecret(ask: (text: string) => Promise<unknown[]>): Promise<Buffer | undefined> {
  const names = Object.entries(sealedColumns).map(([table, column]) => `('${table}', '${column}')`);
  const there = (await ask(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and (table_name, column_name) in (${names.join(', ')})`,
  )) as { table: string; column: string }[];
  const any = there.map(
    ({ table, column }) => `(select ${column} from ${table} where ${column} is not null limit 1)`,
  );
  if (any.length === 0) return undefined;
  const [row] = (await ask(`select coalesce(${any.join(', ')}) as sealed`)) as { sealed: Buffer | null }[];
  return row?.sealed ?? undefined;
}

/** The encryption of this installation. Its key is created only for a database without any secret. */
export async function openSealing(db: Database, { masterKey, dataDir }: Config): Promise<Sealing> {
  const { key, file } = readMasterKey(masterKey, dataDir);
  const known = await db.one<{ fingerprint: string }>(
    sql`select key_fingerprint as fingerprint from installation`,
  );
  if (known && !key) throw new InstallationFault('Master key', missing(file, known.fingerprint));
  // The database of an earlier version knows no fingerprint.
  const secret = known ? undefined : await findSecret(text => db.many(raw(text)));
  if (secret && !key) throw new InstallationFault('Master key', missing(file));
  const sealing = createSealing(key ?? createMasterKey(dataDir));
  if (secret && !opens(sealing, secret))
    throw new InstallationFault('Master key', wrong(file, sealing.fingerprint));
  const stored = known ?? (await store(db, sealing));
  if (stored.fingerprint !== sealing.fingerprint)
    throw new InstallationFault('Master key', wrong(file, sealing.fingerprint, stored.fingerprint));
  return sealing;
}

/**
 * Makes the present key, or a new one, the key of the database. What was encrypted under another stays as it is, and
 * cannot be read.
 */
export async function acceptKey(db: Database, { masterKey, dataDir }: Config): Promise<Sealing> {
  const { key } = readMasterKey(masterKey, dataDir);
  const sealing = createSealing(key ?? createMasterKey(dataDir));
  await db.run(sql`
    insert into installation (key_fingerprint) values (${sealing.fingerprint})
    on conflict (is_only) do update set key_fingerprint = excluded.key_fingerprint`);
  return sealing;
}

/** Of several processes that start on an empty database, the first decides. */
async function store(db: Database, { fingerprint }: Sealing): Promise<{ fingerprint: string }> {
  await db.run(
    sql`insert into installation (key_fingerprint) values (${fingerprint}) on conflict do nothing`,
  );
  const row = await db.one<{ fingerprint: string }>(
    sql`select key_fingerprint as fingerprint from installation`,
  );
  if (!row) throw new Error('The row of the installation is missing.');
  return row;
}

const lastResort = 'If it is gone for good, "mooring accept-key" goes on without them.';

function missing(file: string | undefined, fingerprint?: string): string {
  const which = fingerprint ? ` (${fingerprint})` : '';
  return (
    `The master key is missing: MASTER_KEY is not set, and ${file} does not exist. The secrets in this database are ` +
    `encrypted under a key${which}. Set it, or put its file back. Without it, these are lost: ${losses}. ` +
    `A database that is restored from a backup needs the key of that backup. ${lastResort}`
  );
}

function wrong(file: string | undefined, mine: string, stored?: string): string {
  const [is, wanted] = [` (${mine})`, stored ? ` (${stored})` : ''];
  return (
    `${file ?? 'MASTER_KEY'} is not the master key${wanted} of this database, but another one${is}. Every process of ` +
    'an installation needs the same key: set MASTER_KEY, or put the right file in its place. Without the right key, ' +
    `these are lost: ${losses}. ${lastResort}`
  );
}
