import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, servesFolder } from './processes.ts';

const patienceMs = 2_000;

/**
 * Ends the backends of a killed server. Most notice at once and exit; one in a long query does not, and PostgreSQL
 * rightly refuses to start beside it. Their clients have lost the connection anyway.
 */
export async function endOrphans(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const orphans = readdirSync('/proc')
    .map(Number)
    .filter(pid => Number.isInteger(pid) && isBackend(pid, folder));
  for (const pid of orphans) process.kill(pid, 'SIGKILL');
  for (const deadline = Date.now() + patienceMs; orphans.some(isAlive) && Date.now() < deadline; )
    await pause(2);
}

/** Not every process in that folder belongs to PostgreSQL: an operator's shell may be in it. */
function isBackend(pid: number, folder: string): boolean {
  return servesFolder(pid, folder) && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
}
