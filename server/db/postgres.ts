import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCluster } from './embedded/cluster.ts';
import { chooseEndpoint, optionsOf, type Settings, urlOf } from './embedded/options.ts';
import { own, ownerOf } from './embedded/ownership.ts';
import { supervise } from './embedded/supervise.ts';

/** Where a start tells what an operator should know. */
export interface Log {
  warn(text: string): void;
}

/** The database server, wherever it runs. */
export interface Postgres {
  /** What a driver connects to; holds the password. */
  url: string;
  /** The embedded server's process; undefined while it is being started again, and for an external one. */
  pid(): number | undefined;
  /** Stops what was started here; an external server is left alone. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  dataDir: string;
  databaseUrl?: string | undefined;
  log: Log;
  /** Server settings beyond ours, for tests. */
  settings?: Settings;
  /** Where the programs lie, if not in node_modules. */
  native?: string;
}

/**
 * For the command line: the database of a platform that is running in this data folder, else one started for as long
 * as the command takes.
 */
export async function joinPostgres(options: PostgresOptions): Promise<Postgres> {
  const folder = join(options.dataDir, 'postgres');
  if (options.databaseUrl || ownerOf(options.dataDir) === undefined) return startPostgres(options);
  const real = realpathSync(folder);
  const url = urlOf(real, await chooseEndpoint(real));
  return { url, pid: () => undefined, stop: async () => undefined };
}

/**
 * Gives the address of a running PostgreSQL: the one of `databaseUrl`, or one of our own in the data folder,
 * which is started, kept alive and stopped by this process. A data folder serves one process at a time.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, databaseUrl, log, settings = {}, native } = options;
  if (databaseUrl) return { url: databaseUrl, pid: () => undefined, stop: async () => undefined };

  // Root's own server runs as another user, who must get through to its folder.
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
