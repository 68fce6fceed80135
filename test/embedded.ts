import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type Postgres, type PostgresOptions, startPostgres } from '#server/infra/db/postgres.ts';
import { place } from './place.ts';

export const silent = { warn: () => undefined };

/** An embedded server for one test, stopped when the test is over. */
export async function started(
  options: Omit<PostgresOptions, 'log'> & Partial<PostgresOptions>,
): Promise<Postgres> {
  const postgres = await startPostgres({ log: silent, ...options });
  onTestFinished(() => postgres.stop());
  return postgres;
}

/**
 * An empty folder, removed when the test is over. Other users can traverse it, which the server needs when root starts
 * it.
 */
export function emptyFolder(mode = 0o711): string {
  const folder = newFolder(mode);
  onTestFinished(() => remove(folder));
  return folder;
}

/** Made once in each process of the run, whose files share this module; removed when it ends. */
let seed: Promise<string> | undefined;

/** A folder whose database was started and stopped before; a copy, because a first start is slow. */
export async function usedFolder(): Promise<string> {
  seed ??= makeSeed();
  const folder = emptyFolder();
  const copied = spawnSync('cp', ['-a', join(await seed, 'postgres'), folder], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`The folder cannot be copied: ${copied.stderr}`);
  return folder;
}

async function makeSeed(): Promise<string> {
  const folder = newFolder(0o711);
  process.once('exit', () => remove(folder));
  await (await startPostgres({ dataDir: folder, log: silent })).stop();
  return folder;
}

function newFolder(mode: number): string {
  const folder = mkdtempSync(join(place, 'mooring-case-'));
  chmodSync(folder, mode);
  return folder;
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}

/** Runs one statement on a separate connection. */
export async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export interface Keeper {
  process: ChildProcess;
  url: string;
  /** The pid of the PostgreSQL server. */
  pid: number;
  /** Its output until it was ready. */
  said: string[];
}

/** Another process that holds a data folder, optionally as another user. */
export async function startKeeper(dataDir: string, as: { uid?: number; gid?: number } = {}): Promise<Keeper> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'postgresHolder.ts'), dataDir], {
    ...as,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as { text?: string; url?: string; pid?: number };
    if (message.text) said.push(message.text);
    if (message.url && message.pid) return { process: child, url: message.url, pid: message.pid, said };
  }
  throw new Error('the keeper ended before its server was ready');
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}
