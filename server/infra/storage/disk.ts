import { createReadStream } from 'node:fs';
import { access, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { errorCode } from '#server/infra/errorCode.ts';
import { gatheredWrite } from './gatheredWrite.ts';
import { Measured, type Storage } from './storage.ts';

/** Size of a read, because each read costs a turn of a thread. */
const readBytes = 256 * 1024;

/** Files in a folder. A file is written in another folder, and moved to its path once it is completely on disk. */
export function createDiskStorage(folder: string): Storage {
  const incoming = join(folder, 'incoming');

  /** Uses a few hundred folders, because most tools are slow to open a folder with a million files. */
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
      const ends = range && { start: range.from, end: range.to };
      return createReadStream('', { fd: file, highWaterMark: readBytes, ...ends });
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
      // In this order: a file that is being joined is then either missing before the move, or removed after it.
      await rm(join(incoming, checked(place)), { force: true });
      await rm(pathOf(place), { force: true });
    },

    ...partedFiles(incoming, pathOf),
  };
}

/** Files that arrive in parts. Until they are joined, they are in the folder for incomplete files. */
function partedFiles(
  incoming: string,
  pathOf: (place: string) => string,
): Pick<Storage, 'begin' | 'writePart' | 'join'> {
  return {
    async begin(place, bytes) {
      await mkdir(incoming, { recursive: true });
      const file = await open(join(incoming, checked(place)), 'wx', 0o600);
      try {
        await file.truncate(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      return '';
    },

    /** Writes each part at its offset in a single file, so that joining does not copy two gibibytes. */
    async writePart({ place }, { from, isWhole }, source) {
      const file = await open(join(incoming, checked(place)), 'r+').catch(error => {
        throw errorCode(error) === 'ENOENT' ? new Problem('UPLOAD_OVER') : error;
      });
      try {
        // Once moved to its path, the file counts as verified: a late part must not change it.
        const isOpen = () => access(join(incoming, place));
        // Otherwise the end of a longer attempt would stay.
        if (isWhole) await file.truncate(0);
        await gatheredWrite(file, source, { from, givesAway: true, before: isOpen });
        await file.datasync();
      } catch (error) {
        if (errorCode(error) === 'ENOENT') throw new Problem('UPLOAD_OVER');
        throw isFull(error) ? new Problem('STORAGE_FULL') : error;
      } finally {
        await file.close();
      }
      return '';
    },

    async join({ place }) {
      const path = pathOf(place);
      await mkdir(dirname(path), { recursive: true });
      try {
        await rename(join(incoming, place), path);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        // It was joined before, or removed.
        await access(path).catch(() => {
          throw new Problem('FILE_NOT_FOUND');
        });
      }
      await syncFolder(dirname(path));
    },
  };
}

/** We choose the places, so an invalid one is our own error. */
function checked(place: string): string {
  if (!/^\w{4,100}$/.test(place)) throw new Error('This is not a path in the file store.');
  return place;
}

async function writeDurably(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await gatheredWrite(file, source, { from: 0, givesAway: false });
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The name of a new file is on disk only after its folder has been synced. */
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
