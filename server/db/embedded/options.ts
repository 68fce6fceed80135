import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Cluster, secretOf } from './cluster.ts';
import { findPostmaster } from './postmaster.ts';

export type Settings = Readonly<Record<string, string>>;

/** How the server is reached: by a socket in its own folder, or where that cannot be, by a loopback port. */
interface Endpoint {
  port: number;
  socketFolder: string | undefined;
}

/** Longer paths do not fit into the address of a socket, on any system. */
const socketPathBytesMax = 100;
const socketPort = 5432;

/**
 * A small machine's settings. What is acknowledged is on disk (`fsync`, `synchronous_commit`); memory is spent
 * on the cache only, so workers that we do not use are switched off.
 */
const settled: Settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  shared_buffers: '64MB',
  io_method: 'sync',
  jit: 'off',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // Parallel workers need shared memory that containers are short of, and two cores have better to do.
  max_parallel_workers_per_gather: '0',
  // After a crash of ours its queries and transactions must not go on for nobody.
  client_connection_check_interval: '1s',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of single statements reach us with the answer; in a file their texts would only leak data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

export async function chooseEndpoint(folder: string): Promise<Endpoint> {
  const socket = join(folder, `.s.PGSQL.${socketPort}`);
  if (process.platform !== 'win32' && Buffer.byteLength(socket) < socketPathBytesMax)
    return { port: socketPort, socketFolder: folder };
  return { port: findPostmaster(folder)?.port ?? (await freePort()), socketFolder: undefined };
}

/** The command line of the server. */
export function optionsOf(cluster: Cluster, endpoint: Endpoint, more: Settings): string[] {
  const settings: Settings = {
    ...settled,
    ...more,
    port: String(endpoint.port),
    listen_addresses: endpoint.socketFolder ? '' : '127.0.0.1',
    unix_socket_directories: endpoint.socketFolder ?? '',
    unix_socket_permissions: '0700',
  };
  return [
    '-D',
    cluster.folder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

export function urlOf(folder: string, { port, socketFolder }: Endpoint): string {
  const place = socketFolder ? `?host=${encodeURIComponent(socketFolder)}` : '';
  const host = socketFolder ? 'localhost' : '127.0.0.1';
  return `postgresql://mooring:${secretOf(folder)}@${host}:${port}/mooring${place}`;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
