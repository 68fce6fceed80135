import { resolve } from 'node:path';
import pg from 'pg';
import type { Config } from '#server/infra/config.ts';
import { type Migration, readMigrations } from '#server/infra/db/migrate.ts';
import { joinPostgres } from '#server/infra/db/postgres.ts';
import { sql } from '#server/infra/db/sql.ts';
import { migrateJobs } from '#server/infra/jobs/jobs.ts';
import { createLog } from '#server/infra/log.ts';
import { opens } from '#server/infra/sealing.ts';
import { StartFault } from '#server/infra/startFault.ts';
import { createStorage } from '#server/infra/storage/storage.ts';
import { checkArchive, type Manifest, probeText, type Summary } from './backup/archive.ts';
import { fill } from './backup/fill.ts';
import { isEmpty, loadSchema } from './backup/load.ts';
import { existingSealing } from './backup/masterKey.ts';
import { counted, Progress, sizeOf } from './backup/progress.ts';
import { plainSession } from './backup/snapshot.ts';
import { auditOperator, withPlatform } from './platform.ts';
import { type Command, readWords } from './words.ts';

export const restore: Command = {
  name: 'restore',
  usage: 'restore <file>',
  says: 'restores a backup into an empty database, completely or not at all',
  run: async () => [],
  async alone(config, words) {
    const path = resolve(readWords(words, 1, []).plain[0] ?? '');
    const progress = new Progress();
    progress.say('Checking the backup…');
    const { manifest, summary } = await checkArchive(path);
    const migrations = migrationsOf(manifest);
    checkKey(config, manifest);
    const postgres = await joinPostgres({ ...config, log: { warn: text => console.error(text) } });
    try {
      await load(postgres.url, { config, path, progress, manifest, summary, migrations });
      // Migrates the schema to this version.
      await withPlatform(config, async platform => {
        const orgs = await platform.db.many<{ id: string }>(sql`select id from organizations`);
        const text = `Platform restored from a backup of ${manifest.createdAt}`;
        await platform.db.tx(async db => {
          for (const { id } of orgs)
            await auditOperator(db, platform, { orgId: id, action: 'restoreBackup', text });
        });
      });
    } finally {
      await postgres.stop();
    }
    const rows = Object.values(summary.tables).reduce((sum, one) => sum + one, 0);
    return [
      `Restored: everything as of ${manifest.createdAt}`,
      `${counted(rows, 'row')} of ${counted(manifest.tables.length, 'table')}, ${counted(summary.files, 'file')} (${sizeOf(summary.fileBytes)})`,
      'All sessions and links in e-mails have ended, so people have to sign in again. Start the platform.',
    ];
  },
};

/** The migrations that the backup has; later ones are applied afterwards. */
function migrationsOf(manifest: Manifest): Migration[] {
  const known = readMigrations();
  const made = manifest.migrations.map(({ name, checksum }) => {
    const found = known.find(migration => migration.name === name);
    if (!found || found.checksum !== checksum)
      throw new StartFault(
        `The backup was made by a newer version of Mooring, ${manifest.version} (${name} is not known to this one). ` +
          'Restore it with that version or a later one.',
      );
    return found;
  });
  return made;
}

function checkKey(config: Config, { probe }: Manifest): void {
  const sealing = existingSealing(config);
  const sealed = Buffer.from(probe, 'base64');
  if (opens(sealing, sealed) && sealing.open(sealed) === probeText) return;
  throw new StartFault(
    'The backup was made with another MASTER_KEY. Set the key of the installation it comes from, or put its ' +
      `file master.key into ${config.dataDir}.`,
  );
}

interface Given {
  config: Config;
  path: string;
  progress: Progress;
  manifest: Manifest;
  summary: Summary;
  migrations: readonly Migration[];
}

/** One transaction: a restore that fails or is killed leaves the database empty. */
async function load(url: string, given: Given): Promise<void> {
  const { config, path, progress, manifest, summary, migrations } = given;
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mooring restore',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(plainSession);
    await client.query('begin');
    if (!(await isEmpty(client)))
      throw new StartFault(
        'The database is not empty. Restore into a new one: set another DATABASE_URL, or another DATA_DIR with the file ' +
          'master.key in it. Nothing was changed.',
      );
    await makeJobTables(url, config, manifest);
    const storage = createStorage(config);
    await loadSchema(client, { manifest, migrations }, () =>
      fill(client, { path, manifest, summary, storage, progress }),
    );
    await client.query('commit');
    progress.say('Bringing the schema up to date…');
  } finally {
    await client.end();
  }
}

async function makeJobTables(url: string, config: Config, { jobsMigration }: Manifest): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  try {
    await migrateJobs({ pool, log: createLog(config.logLevel) });
    const { rows } = await pool.query<{ id: number }>(
      'select max(id)::int as id from graphile_worker.migrations',
    );
    if ((rows[0]?.id ?? 0) < jobsMigration)
      throw new StartFault(
        'The backup was made by a newer version of Mooring. Restore it with that version.',
      );
  } finally {
    await pool.end();
  }
}
