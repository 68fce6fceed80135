import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Cluster, secretOf } from './cluster.ts';
import { findPostmaster } from './postmaster.ts';

export type Settings = Readonly<Record<string, string>>;

/** How the server is reached: by a socket in its own folder, or by a loopback port if a socket is not possible. */
interface Endpoint {
  port: number;
  socketFolder: string | undefined;
}

/** A socket address cannot hold longer paths, on any system. */
const socketPathBytesMax = 100;
const socketPort = 5432;

/**
 * Settings for a small machine. Acknowledged data is on disk (`fsync`, `synchronous_commit`). Memory is used for the
 * cache only, so workers that we do not need are off.
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
  // Parallel workers need shared memory, which is scarce in containers, and two cores are needed for other work.
  max_parallel_workers_per_gather: '0',
  // After a crash of the platform, its queries and transactions must not keep running.
  client_connection_check_interval: '1s',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of single statements are returned to us; in a log file their texts would only leak data.
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
    unix_socket_directories: listed(endpoint.socketFolder),
    unix_socket_permissions: '0700',
  };
  return [
    '-D',
    cluster.folder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** The only item of a list that PostgreSQL separates by commas. */
function listed(folder: string | undefined): string {
  return folder === undefined ? '' : `"${folder.replaceAll('"', '""')}"`;
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
