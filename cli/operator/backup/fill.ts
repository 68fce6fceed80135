import type pg from 'pg';
import { StartFault } from '#server/infra/startFault.ts';
import type { Storage } from '#server/infra/storage/storage.ts';
import { entriesOf, type Manifest, type Summary } from './archive.ts';
import { nameOf } from './contents.ts';
import { loadRows } from './load.ts';
import { counted, figure, type Progress } from './progress.ts';
import type { ReadEntry } from './tar.ts';

interface Given {
  path: string;
  manifest: Manifest;
  summary: Summary;
  storage: Storage;
  progress: Progress;
}

/** Reads a verified archive a second time, into the tables and the file storage. */
export async function fill(client: pg.Client, given: Given): Promise<void> {
  const { path, manifest, summary, storage, progress } = given;
  const parts = new Parts(entriesOf(path), progress);
  const stored = { files: 0, bytes: 0 };
  for (await parts.next(); parts.current; ) {
    const { name } = parts.current;
    const tableName = tableOf(name);
    if (tableName !== undefined) {
      const table = manifest.tables.find(one => nameOf(one) === tableName);
      if (!table) throw new StartFault(`The backup has rows of ${tableName}, which it does not describe.`);
      const rows = await loadRows(client, table, parts.rowsOf(tableName));
      if (rows !== summary.tables[tableName])
        throw new StartFault(`${tableName} has ${rows} rows instead of ${summary.tables[tableName]}.`);
      progress.say(`${tableName}: ${counted(rows, 'row')}`);
      continue;
    }
    if (name.startsWith('files/')) {
      await storeFile(storage, parts.current);
      stored.files += 1;
      stored.bytes += parts.current.size;
      progress.bytes(`${figure(stored.files)} files`, stored.bytes);
    }
    await parts.next();
  }
  progress.say('Building indexes…');
}

/** Files never change: one with the same path and size is left from earlier, or from a killed restore. */
async function storeFile(storage: Storage, { name, size, content }: ReadEntry): Promise<void> {
  const place = name.slice('files/'.length);
  if ((await storage.size(place)) === size) return;
  await storage.remove(place);
  await storage.write(place, content, size);
}

/** `tables/public.devices/00000001` is a chunk of `public.devices`. */
function tableOf(name: string): string | undefined {
  const [kind, table] = name.split('/');
  return kind === 'tables' ? table : undefined;
}

/** Reads the entries in sequence, with all entries of a table as one. */
class Parts {
  current: ReadEntry | undefined;
  readonly #entries: AsyncGenerator<ReadEntry>;
  readonly #progress: Progress;

  constructor(entries: AsyncGenerator<ReadEntry>, progress: Progress) {
    this.#entries = entries;
    this.#progress = progress;
  }

  async next(): Promise<void> {
    const { value, done } = await this.#entries.next();
    this.current = done ? undefined : value;
  }

  async *rowsOf(table: string): AsyncGenerator<Uint8Array> {
    for (let bytes = 0; this.current && tableOf(this.current.name) === table; await this.next()) {
      bytes += this.current.size;
      yield* this.current.content;
      this.#progress.bytes(table, bytes);
    }
  }
}
