import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const memoryBytesMin = 2 * 1024 ** 3;

/**
 * The folder for the databases of tests: in memory if there is enough of it. A database consists of a thousand small
 * files, and disks differ in how fast they handle those.
 */
export const place = hasRoom(memory) ? memory : realpathSync(tmpdir());

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > memoryBytesMin;
}
