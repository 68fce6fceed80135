import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type pg from 'pg';
import { findSecret } from '#server/api/installation/masterKey.ts';
import type { Config } from '#server/infra/config.ts';
import { joinPostgres } from '#server/infra/db/postgres.ts';
import { opens, type Sealing } from '#server/infra/sealing.ts';
import { StartFault } from '#server/infra/startFault.ts';
import { createStorage, type Storage } from '#server/infra/storage/storage.ts';
import { jsonEntry, type Manifest, once, probeText, type Summary, writeArchive } from './backup/archive.ts';
import * as contents from './backup/contents.ts';
import { copyOut } from './backup/copy.ts';
import { existingSealing } from './backup/masterKey.ts';
import { counted, figure, Progress, sizeOf } from './backup/progress.ts';
import { withSnapshot } from './backup/snapshot.ts';
import type { Entry } from './backup/tar.ts';
import { about } from './version.ts';
import { type Command, readWords } from './words.ts';

const placesAtOnce = 1_000;

export const backup: Command = {
  name: 'backup',
  usage: 'backup <file>',
  says: 'writes a snapshot of the database and all files, while the platform runs',
  run: async () => [],
  async alone(config, words) {
    const path = resolve(readWords(words, 1, []).plain[0] ?? '');
    if (existsSync(path)) throw new StartFault(`${path} already exists. Choose another name.`);
    const sealing = existingSealing(config);
    const postgres = await joinPostgres({ ...config, log: { warn: text => console.error(text) } });
    try {
      return await withSnapshot(postgres.url, client => write(client, { config, sealing, path }));
    } finally {
      await postgres.stop();
    }
  },
};

interface Given {
  config: Config;
  sealing: Sealing;
  path: string;
}

async function write(client: pg.Client, { config, sealing, path }: Given): Promise<string[]> {
  await checkKey(client, sealing);
  const manifest = await makeManifest(client, sealing);
  const run: Run = {
    client,
    storage: createStorage(config),
    progress: new Progress(),
    summary: { tables: {}, files: 0, fileBytes: 0 },
    missing: 0,
  };
  await writeArchive(path, entriesOf(run, manifest), () => run.summary);
  const { tables, files, fileBytes } = run.summary;
  const rows = Object.values(tables).reduce((sum, one) => sum + one, 0);
  if (run.missing > 0) process.exitCode = 1;
  return [
    `${path}: everything as of ${manifest.createdAt}`,
    `${counted(rows, 'row')} of ${counted(manifest.tables.length, 'table')}, ${counted(files, 'file')} (${sizeOf(fileBytes)})`,
    ...(run.missing > 0 ? [`MISSING  ${counted(run.missing, 'file')} not found in the file storage`] : []),
    'The master key is not part of it. Keep a copy elsewhere: without it, the secrets in the backup cannot be read.',
  ];
}

/** A process with a different key could write a backup whose secrets nobody can decrypt. */
async function checkKey(client: pg.Client, sealing: Sealing): Promise<void> {
  const sealed = await findSecret(async text => (await client.query(text)).rows);
  if (sealed && !opens(sealing, sealed))
    throw new StartFault(
      'This is not the MASTER_KEY of the platform: it cannot decrypt a secret in the database. Use the settings of the server.',
    );
}

async function makeManifest(client: pg.Client, sealing: Sealing): Promise<Manifest> {
  const { rows: migrations } = await client.query<Manifest['migrations'][number]>(
    'select name, checksum from schema_migration order by name',
  );
  const { rows: jobs } = await client.query<{ id: number }>(
    'select max(id)::int as id from graphile_worker.migrations',
  );
  const { rows: now } = await client.query<{ at: Date }>('select now() as at');
  const tables = await contents.findTables(client);
  return {
    format: 1,
    version: about.version,
    createdAt: now[0]?.at.toISOString() ?? '',
    migrations,
    jobsMigration: jobs[0]?.id ?? 0,
    probe: sealing.seal(probeText).toString('base64'),
    tables: tables.filter(table => !contents.temporary.includes(contents.nameOf(table))),
    partitions: await contents.findPartitions(client),
    sequences: await contents.findSequences(client),
  };
}

interface Run {
  client: pg.Client;
  storage: Storage;
  progress: Progress;
  summary: Summary;
  /** Files that rows refer to, but that are missing in the storage. */
  missing: number;
}

async function* entriesOf(run: Run, manifest: Manifest): AsyncGenerator<Entry> {
  yield jsonEntry('manifest.json', manifest);
  for (const table of manifest.tables) yield* rowsOf(run, table);
  for (const { table, column } of await contents.findFileColumns(run.client))
    yield* filesOf(
      run,
      `select ${contents.quoted(column)} as place from ${table} where ${contents.quoted(column)} is not null`,
    );
}

/** In chunks, because a tar file has the size of each entry before its content. */
async function* rowsOf({ client, progress, summary }: Run, table: contents.Table): AsyncGenerator<Entry> {
  const name = contents.nameOf(table);
  const rows = copyOut(client, contents.copyOutOf(table));
  let [piece, bytes] = [0, 0];
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    piece += 1;
    bytes += chunk.length;
    const place = `tables/${name}/${piece.toString().padStart(8, '0')}`;
    yield { name: place, size: chunk.length, content: once(chunk) };
    progress.bytes(name, bytes);
  }
  summary.tables[name] = rows.rows;
  if (rows.rows > 0) progress.say(`${name}: ${counted(rows.rows, 'row')}`);
}

async function* filesOf(run: Run, places: string): AsyncGenerator<Entry> {
  const { client, storage, summary, progress } = run;
  await client.query(`declare places no scroll cursor for ${places}`);
  for (;;) {
    const { rows } = await client.query<{ place: string }>(`fetch ${placesAtOnce} from places`);
    for (const { place } of rows) {
      const size = await storage.size(place);
      if (size === undefined) {
        run.missing += 1;
        progress.say(`MISSING  ${place} is not in the file storage`);
        continue;
      }
      yield { name: `files/${place}`, size, content: await storage.read(place) };
      summary.files += 1;
      summary.fileBytes += size;
      progress.bytes(`${figure(summary.files)} files`, summary.fileBytes);
    }
    if (rows.length < placesAtOnce) break;
  }
  await client.query('close places');
}
