import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#server/infra/errorCode.ts';
import { StartFault } from '#server/infra/startFault.ts';
import { birthMark } from './processes.ts';

/** Another process owns the data folder. */
export class FolderTaken extends StartFault {
  override name = 'FolderTaken';
}

/**
 * Makes this process the only owner of the data folder; a second process is refused and told the owner. Returns a
 * function that releases the folder. After a crash no release is needed: a dead owner does not count.
 */
export function own(dataDir: string): () => void {
  const file = join(dataDir, 'mooring.pid');
  const mine = nameTag();
  const draft = `${file}.${process.pid}`;
  // Linking a complete file means that no one ever reads a partial one.
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    while (!appears(draft, file)) removeStale(file, dataDir);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (contentOf(file) === mine) rmSync(file, { force: true });
  };
}

/** The process that owns the data folder now, if any. */
export function ownerOf(dataDir: string): number | undefined {
  return livingProcess(contentOf(join(dataDir, 'mooring.pid')) ?? '');
}

function appears(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Of several processes that find the same stale file, only one renames it, and then checks what it renamed. */
function removeStale(file: string, dataDir: string): void {
  const seen = contentOf(file);
  if (seen === undefined) return;
  refuseLiving(seen, dataDir);
  const taken = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, taken);
  } catch (error) {
    // Another process was faster; the next round sees the new owner.
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const held = contentOf(taken);
  if (held !== seen) appears(taken, file);
  rmSync(taken, { force: true });
}

function refuseLiving(content: string, dataDir: string): void {
  const pid = livingProcess(content);
  if (pid === undefined) return;
  throw new FolderTaken(
    `Mooring is already running on ${dataDir} (process ${pid}). Stop that process, or choose another folder with DATA_DIR.`,
  );
}

/** The content of a file that names this process, for `livingProcess`. */
export const nameTag = () => `${process.pid}\n${birthMark(process.pid)}\n`;

/** The process that a file names, if it still runs. */
export function livingProcess(content: string): number | undefined {
  const [pid = '', mark] = content.split('\n');
  const id = Number(pid);
  return Number.isInteger(id) && id > 0 && birthMark(id) === mark ? id : undefined;
}

export function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
