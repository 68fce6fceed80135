import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import type { Config } from '#server/infra/config.ts';
import { type Database, sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';
import type { Log } from '#server/infra/log.ts';
import type { Storage } from '#server/infra/storage/storage.ts';
import { InstallationFault } from './installationFault.ts';

/** The marker: a file in the store with its id. */
export const marker = 'installation';
const markerBytesMax = 100;
/** A store that does not answer must not delay the start; its files are then missing for as long. */
const answerWithinMs = 5_000;

/**
 * Compares the marker in the file store with the database. Processes with one database and different stores would each
 * have a part of the files.
 */
export async function checkFileStore(
  db: Database,
  storage: Storage,
  { config, log }: { config: Config; log: Log },
): Promise<void> {
  try {
    const id = await idOf(db, storage);
    if ((await inTime(readMarker(storage))) !== id)
      throw new InstallationFault('File store', otherStore(config, id));
  } catch (error) {
    if (error instanceof InstallationFault) throw error;
    log('warn', 'The file store could not be checked', {
      store: placeOf(config),
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

/** The id of the installation's store. The first start takes it from the store, or gives the store one. */
async function idOf(db: Database, storage: Storage): Promise<string> {
  const known = await db.one<{ id: string }>(
    sql`select file_store as id from installation where file_store is not null`,
  );
  if (known) return known.id;
  // A database that was restored beside the files it had finds their marker.
  const found = await inTime(readMarker(storage));
  return db.tx(async tx => {
    const row = await tx.one<{ id: string | null }>(
      sql`select file_store as id from installation for update`,
    );
    if (row?.id) return row.id;
    const id = found ?? (await writeMarker(storage));
    await tx.run(sql`update installation set file_store = ${id}`);
    return id;
  });
}

async function readMarker(storage: Storage): Promise<string | undefined> {
  try {
    return await text(await storage.read(marker));
  } catch (error) {
    if (error instanceof Problem && error.reason === 'FILE_NOT_FOUND') return undefined;
    throw error;
  }
}

async function writeMarker(storage: Storage): Promise<string> {
  const id = newId('store', Date.now());
  // What a killed start left would be in the way.
  await storage.remove(marker);
  await storage.write(marker, Readable.from([Buffer.from(id)]), markerBytesMax);
  return id;
}

function inTime<T>(asked: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = pause(answerWithinMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('It did not answer in time.');
  });
  late.catch(() => undefined);
  return Promise.race([asked, late]).finally(() => timer.abort());
}

function otherStore(config: Config, id: string): string {
  return (
    `The files of this installation are not in ${placeOf(config)}. Every process needs the same store: set S3_URL to ` +
    'its bucket, or let all of them use one folder as DATA_DIR. If the files were moved, move all of them. If they are ' +
    `lost, create ${placeOf(config, marker)} with the content ${id} to start without them.`
  );
}

function placeOf({ s3, dataDir }: Config, name?: string): string {
  if (s3) return [s3.url, name].filter(Boolean).join('/');
  return join(dataDir, 'files', ...(name ? [name.slice(-2), name] : []));
}
