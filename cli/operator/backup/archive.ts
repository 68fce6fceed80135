import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { StartFault } from '#server/infra/startFault.ts';
import { type Entry, endOfTar, type ReadEntry, readTar, tarEntry } from './tar.ts';

/**
 * A backup is a `.tar.gz` that any tar can open:
 *
 *     manifest.json                      what is in it and where it comes from
 *     tables/<schema>.<table>/00000001   rows as `copy` writes them, in pieces
 *     files/<place>                      what the file storage holds
 *     end.json                           how much there is, and a checksum of everything before
 */
export const manifestShape = z.object({
  format: z.literal(1),
  version: z.string(),
  createdAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The migration number of graphile-worker. */
  jobsMigration: z.number(),
  /** Encrypted with the master key, so that a restore can tell whether it has the same key. */
  probe: z.string(),
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })),
  partitions: z.array(z.object({ parent: z.string(), name: z.string(), bounds: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type Manifest = z.infer<typeof manifestShape>;

const endShape = z.object({
  sha256: z.string(),
  tables: z.record(z.string(), z.number()),
  files: z.number(),
  fileBytes: z.number(),
});
export type Summary = Omit<z.infer<typeof endShape>, 'sha256'>;

export const probeText = 'mooring backup';
const jsonBytesMax = 64 * 1024 * 1024;

/** Writes an archive that is either complete or does not exist, and that only its owner can read. */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<Entry>,
  summary: () => Summary,
): Promise<void> {
  const draft = `${path}.partial`;
  try {
    const file = createWriteStream(draft, { mode: 0o600, flush: true });
    await pipeline(archiveOf(entries, summary), createGzip({ level: 4 }), file);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall ? new StartFault(`The backup could not be written: ${message}`) : error;
  }
}

async function* archiveOf(entries: AsyncIterable<Entry>, summary: () => Summary): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const entry of entries) {
    for await (const bytes of tarEntry(entry)) {
      hash.update(bytes);
      yield bytes;
    }
  }
  yield* tarEntry(jsonEntry('end.json', { sha256: hash.digest('hex'), ...summary() }));
  yield endOfTar;
}

export function jsonEntry(name: string, value: unknown): Entry {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  return { name, size: bytes.length, content: once(bytes) };
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads the whole archive before anything is done with it. */
export async function checkArchive(path: string): Promise<Checked> {
  try {
    return await readAll(path);
  } catch (error) {
    throw error instanceof StartFault ? error : damaged(wordsOf(error));
  }
}

interface Checked {
  manifest: Manifest;
  summary: Summary;
}

async function readAll(path: string): Promise<Checked> {
  let manifest: Manifest | undefined;
  for await (const entry of entriesOf(path)) {
    if (!manifest) manifest = await readManifest(entry);
    else if (entry.name === 'end.json') {
      const { sha256, ...summary } = await readJson(entry, endShape);
      if (sha256 !== entry.sha256Before) throw damaged('its checksum is wrong');
      return { manifest, summary };
    }
  }
  throw damaged('it ends too early');
}

/** The entries of an archive, in order. */
export async function* entriesOf(path: string): AsyncGenerator<ReadEntry> {
  const file = await open(path).catch(error => {
    throw new StartFault(`The backup cannot be read: ${error.message}`);
  });
  const source = createReadStream('', { fd: file });
  const unzipped = createGunzip();
  // Not `pipeline`: its promise never settles if both streams are destroyed while the last bytes are being unpacked.
  source.once('error', error => unzipped.destroy(error));
  // The reader of the stream gets the error; after that, it can be ignored.
  unzipped.on('error', () => undefined);
  source.pipe(unzipped);
  try {
    yield* readTar(unzipped);
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

async function readManifest(entry: ReadEntry): Promise<Manifest> {
  if (entry.name !== 'manifest.json') throw new StartFault('The file is not a backup of Mooring.');
  return readJson(entry, manifestShape);
}

async function readJson<T>(entry: ReadEntry, shape: z.ZodType<T>): Promise<T> {
  if (entry.size > jsonBytesMax) throw damaged(`${entry.name} is too long`);
  const parts: Uint8Array[] = [];
  for await (const part of entry.content) parts.push(part);
  const { data, success } = shape.safeParse(parsed(Buffer.concat(parts).toString('utf8')));
  if (!success) throw damaged(`${entry.name} cannot be read by this version`);
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (text === 'incorrect header check') return 'it is not compressed like a backup';
  return text === 'unexpected end of file' ? 'it ends too early' : text;
}

function damaged(why: string): StartFault {
  return new StartFault(`The backup is damaged: ${why}. Nothing was restored; use another backup.`);
}
