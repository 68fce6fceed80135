import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { livingProcess, nameTag } from './infra/db/embedded/ownership.ts';

const folder = join(import.meta.dirname, '../.runtime/running');

/**
 * Notes that this process runs the code of this folder, until it ends: `npm start` then leaves its packages and its
 * console alone (`scripts/inUse.mjs`).
 */
export function registerProcess(): void {
  const file = join(folder, String(process.pid));
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, nameTag());
  } catch {
    // Where this user may not write, as in a container, it does not start `npm` either.
    return;
  }
  process.once('exit', () => rmSync(file, { force: true }));
}

/** The processes that run the code of this folder; what killed ones have left is removed. */
export function runningHere(): number[] {
  return readdirSync(folder).flatMap(name => {
    const file = join(folder, name);
    const pid = livingProcess(readFileSync(file, 'utf8'));
    if (pid === undefined) rmSync(file, { force: true });
    return pid ?? [];
  });
}
