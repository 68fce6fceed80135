import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '#server/infra/errorCode.ts';
import { StartFault } from '#server/infra/startFault.ts';
import type { Cluster } from './cluster.ts';
import { endOrphans } from './orphans.ts';
import { isAlive, servesFolder } from './processes.ts';
import { spawnOptions } from './serviceUser.ts';

/** A running PostgreSQL server. */
export interface Postmaster {
  pid: number;
  /** Resolves when the process has ended, for any reason. */
  gone: Promise<void>;
}

const pollMs = 5;
/** How often a server that is not our child process is checked. */
const watchMs = 200;
const impossiblePid = 2 ** 31 - 2;
const logSizeMax = 4 * 1024 * 1024;

/** The server that already serves the folder, left by an earlier process of the platform. */
export function findPostmaster(folder: string): { pid: number; port: number } | undefined {
  const lines = readPidFile(folder);
  const pid = Number(lines?.[0]);
  if (!lines || !servesFolder(pid, folder)) return undefined;
  return { pid, port: Number(lines[3]) };
}

/** Takes over a server that runs with exactly these options; otherwise stops it, so that the new options apply. */
export async function adopt(cluster: Cluster, options: string[]): Promise<Postmaster | undefined> {
  const found = findPostmaster(cluster.folder);
  if (!found) return undefined;
  const postmaster = { pid: found.pid, gone: untilGone(found.pid) };
  const started = readFileSync(join(cluster.folder, 'postmaster.opts'), 'utf8').trim();
  const wanted = [program(cluster), ...options.map(option => `"${option}"`)].join(' ');
  if (started === wanted && (await isReady(cluster.folder, postmaster))) return postmaster;
  await terminate(cluster, postmaster);
  return undefined;
}

/** Starts the server. Resolves when it accepts connections; rejects with its own message if it ends before. */
export async function launch(cluster: Cluster, options: string[]): Promise<Postmaster> {
  await clearRemains(cluster.folder);
  const log = openLog(cluster.logFile);
  const size = statSync(cluster.logFile).size;
  // Detached: Ctrl-C is meant for this process, which stops the server after everything else. The server writes to a
  // file, not to this process, because it outlives a crash of this process.
  const child = spawn(program(cluster), options, {
    ...spawnOptions(cluster.user),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
  failed.catch(() => undefined);
  const pid = child.pid;
  if (pid === undefined) return failed;
  const postmaster = { pid, gone };
  if (await isReady(cluster.folder, postmaster)) return postmaster;
  const said = readFileSync(cluster.logFile, 'utf8').slice(size).trim().split('\n');
  const reason = said.findLast(line => / (FATAL|PANIC|HINT): /.test(line)) ?? said.at(-1);
  throw new StartFault(`PostgreSQL did not start: ${reason || 'no output'} (${cluster.logFile})`);
}

/** Stops the server: gracefully at first, later by force. */
export async function terminate(cluster: Cluster, postmaster: Postmaster): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown: open transactions roll back and a checkpoint is written. SIGQUIT skips the
  // checkpoint; the next start then recovers.
  for (const [signal, patienceMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isAlive(postmaster.pid)) return;
    send(cluster, postmaster.pid, signal);
    if (await within(postmaster.gone, patienceMs)) return;
  }
}

function send(cluster: Cluster, pid: number, signal: NodeJS.Signals): void {
  // Windows has no signals; there pg_ctl talks to the server through a pipe.
  if (process.platform === 'win32' && signal === 'SIGINT')
    spawnSync(join(cluster.binaries.root, 'bin/pg_ctl'), [
      'stop',
      '-D',
      cluster.folder,
      '-m',
      'fast',
      '--no-wait',
    ]);
  else process.kill(pid, signal);
}

async function within(gone: Promise<void>, patienceMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(patienceMs, false, { signal: timer.signal }).catch(() => false);
  const result = await Promise.race([gone.then(() => true), late]);
  timer.abort();
  return result;
}

/** Recovery after a crash may take long, so waiting ends only when the server is ready or its process ends. */
async function isReady(folder: string, { pid, gone }: Postmaster): Promise<boolean> {
  let running = true;
  gone.then(() => {
    running = false;
  });
  while (running) {
    const lines = readPidFile(folder);
    // This line is the status that the server writes.
    if (Number(lines?.[0]) === pid && lines?.[7]?.trim() === 'ready') return true;
    await pause(pollMs);
  }
  return false;
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await pause(watchMs, undefined, { ref: false });
}

/**
 * Prepares a start after a crash. PostgreSQL refuses to start while the process named in its pid file exists, even if
 * that id now belongs to another program or to a zombie that is not reaped. The file also names the shared memory, from
 * which PostgreSQL knows whether backends of a killed server still run. So the file is not removed: its process id is
 * replaced by one that no process can have. The socket's lock file names only the process.
 */
async function clearRemains(folder: string): Promise<void> {
  const lines = readPidFile(folder);
  if (!lines || servesFolder(Number(lines[0]), folder)) return;
  await endOrphans(folder);
  writeFileSync(join(folder, 'postmaster.pid'), [impossiblePid, ...lines.slice(1)].join('\n'));
  rmSync(join(folder, `.s.PGSQL.${lines[3]}.lock`), { force: true });
}

function readPidFile(folder: string): string[] | undefined {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logSizeMax) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

function program(cluster: Cluster): string {
  return join(cluster.binaries.root, 'bin/postgres');
}
