import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from '#server/infra/errorCode.ts';

/** Whether a process runs under this id. A zombie that is not reaped, as in many containers, does not count. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') {
    const stat = linuxStat(pid);
    return stat !== undefined && stat[0] !== 'Z' && stat[0] !== 'X';
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Distinguishes a process from a later one with the same id: ids repeat, and after a restart of a container even
 * immediately. Undefined if no such process runs.
 */
export function birthMark(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${linuxStat(pid)?.[19]}`;
  }
  if (process.platform === 'win32') return 'alive';
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}

/** Whether the process is the PostgreSQL server of this data folder, not another one that got the same id. */
export function servesFolder(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    // A postmaster and its backends have the data folder as their working directory.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === folder;
    if (process.platform === 'win32') return true;
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(folder);
  } catch {
    // A process of another user, whose folder we may not read: not the server we started.
    return false;
  }
}

/** The fields of /proc/<pid>/stat from the state on; the name before them may contain spaces and brackets. */
function linuxStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // No such process.
    return undefined;
  }
}
