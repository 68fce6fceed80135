import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCluster } from './embedded/cluster.ts';
import { chooseEndpoint, optionsOf, type Settings, urlOf } from './embedded/options.ts';
import { own, ownerOf } from './embedded/ownership.ts';
import { supervise } from './embedded/supervise.ts';

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
 * For the command line: uses the database of a platform that runs in this data folder, or starts one for the duration
 * of the command.
 */
export async function joinPostgres(options: PostgresOptions): Promise<Postgres> {
  const folder = join(options.dataDir, 'postgres');
  if (options.databaseUrl || ownerOf(options.dataDir) === undefined) return startPostgres(options);
  const real = realpathSync(folder);
  const url = urlOf(real, await chooseEndpoint(real));
  return { url, pid: () => undefined, stop: async () => undefined };
}

/**
 * Returns the address of a running PostgreSQL: the one of `databaseUrl`, or an embedded one in the data folder, which
 * this process starts, keeps alive and stops. A data folder serves one process at a time.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, databaseUrl, log, settings = {}, native } = options;
  if (databaseUrl) return { url: databaseUrl, pid: () => undefined, stop: async () => undefined };

  // As root, the embedded server runs as another user, who must be able to reach its folder.
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const release = own(dataDir);
  try {
    const cluster = await prepareCluster(dataDir, log, native);
    const endpoint = await chooseEndpoint(cluster.folder);
    const server = await supervise(cluster, optionsOf(cluster, endpoint, settings), log);
    return {
      url: urlOf(cluster.folder, endpoint),
      pid: server.pid,
      async stop() {
        await server.stop();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
