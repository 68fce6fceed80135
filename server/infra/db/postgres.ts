import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { writingTo } from '#server/infra/dataDir.ts';
import { prepareCluster } from './embedded/cluster.ts';
import { close, closeAfterGuests, enter, isClosing } from './embedded/guests.ts';
import { chooseEndpoint, optionsOf, type Settings, urlOf } from './embedded/options.ts';
import { FolderTaken, own, ownerOf } from './embedded/ownership.ts';
import { supervise } from './embedded/supervise.ts';
import { DatabaseUnavailable, translated } from './unavailable.ts';

/** Where a start reports what an operator should know. */
export interface Log {
  warn(text: string): void;
}

/** The database server, wherever it runs. */
export interface Postgres {
  /** The connection string for a driver; contains the password. */
  url: string;
  /** The process of the embedded server; undefined while it restarts, and for an external server. */
  pid(): number | undefined;
  /** Stops the server if it was started here; an external one is left alone. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  dataDir: string;
  databaseUrl?: string | undefined;
  log: Log;
  /** Additional server settings, for tests. */
  settings?: Settings;
  /** The folder of the PostgreSQL programs, if not in node_modules. */
  native?: string;
}

/**
 * For the command line: uses the database of a platform that runs in this data folder, or of another command; otherwise
 * starts one, and stops it once no other command uses it.
 */
export async function joinPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, databaseUrl, log } = options;
  if (databaseUrl) return startPostgres(options);
  for (;;) {
    try {
      const started = await startPostgres(options);
      const isWaiting = (guests: readonly number[]) =>
        log.warn(`Other commands still use the database (process ${guests.join(', ')}). Waiting for them.`);
      return {
        ...started,
        async stop() {
          const reopen = await closeAfterGuests(dataDir, isWaiting);
          await started.stop();
          reopen();
        },
      };
    } catch (error) {
      if (!(error instanceof FolderTaken)) throw error;
    }
    const leave = enter(dataDir);
    const url = await urlOnceReady(dataDir);
    if (url !== undefined) return { url, pid: () => undefined, stop: async () => leave() };
    leave();
    await pause(pollMs);
  }
}

const pollMs = 50;

/** The address of the owner's database, once it answers; undefined if the owner has ended or is about to. */
async function urlOnceReady(dataDir: string): Promise<string | undefined> {
  while (ownerOf(dataDir) !== undefined && !isClosing(dataDir)) {
    const url = await urlIfReady(dataDir);
    if (url !== undefined) return url;
    await pause(pollMs);
  }
  return undefined;
}

async function urlIfReady(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, 'postgres');
  // A first start has not finished it yet.
  if (!existsSync(folder)) return undefined;
  const real = realpathSync(folder);
  const url = urlOf(real, await chooseEndpoint(real));
  const client = new pg.Client({ connectionString: url, application_name: 'mooring command' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return url;
  } catch (error) {
    if (translated(error) instanceof DatabaseUnavailable) return undefined;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Returns the address of a running PostgreSQL: the one of `databaseUrl`, or an embedded one in the data folder, which
 * this process starts, keeps alive and stops. A data folder serves one process at a time.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, databaseUrl, log, settings = {}, native } = options;
  if (databaseUrl) return { url: databaseUrl, pid: () => undefined, stop: async () => undefined };

  // As root, the embedded server runs as another user, who must be able to reach its folder.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const release = writingTo(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode });
    return own(dataDir);
  });
  try {
    const cluster = await prepareCluster(dataDir, log, native);
    const endpoint = await chooseEndpoint(cluster.folder);
    const server = await supervise(cluster, optionsOf(cluster, endpoint, settings), log);
    return {
      url: urlOf(cluster.folder, endpoint),
      pid: server.pid,
      async stop() {
        const reopen = close(dataDir);
        await server.stop();
        release();
        reopen();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
