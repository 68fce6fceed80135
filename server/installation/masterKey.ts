import type { Config } from '#server/config.ts';
import { type Database, raw, sql } from '#server/db/sql.ts';
import { createMasterKey, createSealing, opens, readMasterKey, type Sealing } from '#server/sealing.ts';
import { InstallationFault } from './installationFault.ts';

/** What cannot be read without the key, in words for an operator. */
export const losses =
  'two-factor secrets, device keys that can be shown, secrets of sign-in methods, webhooks and smart modules, ' +
  'signing keys of proxy routes, and queued e-mails';

/** Any secret that is stored for long: a key that opens it opens all of them. */
export const sampleSecret = `select coalesce(
  (select totp_secret from developers where totp_secret is not null limit 1),
  (select key_sealed from devices where key_sealed is not null limit 1),
  (select client_secret from user_auth_methods limit 1),
  (select secrets from smart_modules where secrets is not null limit 1),
  (select secret from webhook_secrets limit 1),
  (select key_sealed from proxy_routes limit 1),
  (select content from mails where content is not null limit 1)) as sealed`;

/** The encryption of this installation. Its key is created only for a database without any secret. */
export async function openSealing(db: Database, { masterKey, dataDir }: Config): Promise<Sealing> {
  const { key, file } = readMasterKey(masterKey, dataDir);
  const known = await db.one<{ fingerprint: string }>(
    sql`select key_fingerprint as fingerprint from installation`,
  );
  if (known && !key) throw new InstallationFault('Master key', missing(file, known.fingerprint));
  // The database of an earlier version knows no fingerprint.
  const secret = known ? undefined : await aSecret(db);
  if (secret && !key) throw new InstallationFault('Master key', missing(file));
  const sealing = createSealing(key ?? createMasterKey(dataDir));
  if (secret && !opens(sealing, secret))
    throw new InstallationFault('Master key', wrong(file, sealing.fingerprint));
  const stored = known ?? (await store(db, sealing));
  if (stored.fingerprint !== sealing.fingerprint)
    throw new InstallationFault('Master key', wrong(file, sealing.fingerprint, stored.fingerprint));
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

async function aSecret(db: Database): Promise<Buffer | undefined> {
  const row = await db.one<{ sealed: Buffer | null }>(raw(sampleSecret));
  return row?.sealed ?? undefined;
}

function missing(file: string | undefined, fingerprint?: string): string {
  const which = fingerprint ? ` (${fingerprint})` : '';
  return (
    `The master key is missing: MASTER_KEY is not set, and ${file} does not exist. The secrets in this database are ` +
    `encrypted under a key${which}. Set it, or put its file back. Without it, these are lost: ${losses}. ` +
    'A database that is restored from a backup needs the key of that backup.'
  );
}

function wrong(file: string | undefined, mine: string, stored?: string): string {
  const [is, wanted] = [` (${mine})`, stored ? ` (${stored})` : ''];
  return (
    `${file ?? 'MASTER_KEY'} is not the master key${wanted} of this database, but another one${is}. Every process of ` +
    'an installation needs the same key: set MASTER_KEY, or put the right file in its place. Without the right key, ' +
    `these are lost: ${losses}.`
  );
}
