import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { errorCode } from '#server/errorCode.ts';
import { Measured, type Storage } from './storage.ts';

/** Files in a folder. One is written beside its place and moved there when all of it is on the disk. */
export function createDiskStorage(folder: string): Storage {
  const incoming = join(folder, 'incoming');

  /** A few hundred folders, since one with a million files is slow to open in most tools. */
  function pathOf(place: string): string {
    return join(folder, checked(place).slice(-2), place);
  }

  return {
    async write(place, source, bytesMax) {
      const [temporary, path] = [join(incoming, checked(place)), pathOf(place)];
      const measured = new Measured(source, bytesMax);
      try {
        await mkdir(incoming, { recursive: true });
        await mkdir(dirname(path), { recursive: true });
        await writeDurably(temporary, measured);
        await rename(temporary, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(temporary, { force: true });
        throw isFull(error) ? new Problem('STORAGE_FULL') : error;
      }
      return measured.written();
    },

    async read(place, range) {
      const file = await open(pathOf(place)).catch(error => {
        throw errorCode(error) === 'ENOENT' ? new Problem('FILE_NOT_FOUND') : error;
      });
      return createReadStream('', { fd: file, ...(range && { start: range.from, end: range.to }) });
    },

    async size(place) {
      try {
        return (await stat(pathOf(place))).size;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },

    async remove(place) {
      await rm(pathOf(place), { force: true });
      await rm(join(incoming, place), { force: true });
    },
  };
}

/** A place is ours, so that one which is no plain word is a mistake of ours. */
function checked(place: string): string {
  if (!/^\w{4,100}$/.test(place)) throw new Error('This is not a path in the file store.');
  return place;
}

async function writeDurably(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of source) await writeAll(file, chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A disk that is nearly full takes a part, and refuses the rest at the next try. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) {
    at += (await file.write(chunk, at)).bytesWritten;
  }
}

/** The name of a new file is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isFull(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}
