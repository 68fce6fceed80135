import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const memoryBytesMin = 2 * 1024 ** 3;

/**
 * Where tests keep databases: in memory where there is enough of it. A database is a thousand small files, and
 * disks differ in how they like that.
 */
export const place = hasRoom(memory) ? memory : realpathSync(tmpdir());

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > memoryBytesMin;
}
