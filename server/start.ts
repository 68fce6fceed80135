import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { endLiveStreams } from './api/http/live.ts';
import { openInstallation } from './api/installation/openInstallation.ts';
import { partitionsOf } from './api/slice.ts';
import { createApp } from './app.ts';
import type { ProxyLimits } from './apps/proxyRoutes/forward/proxyLimits.ts';
import { endEventStreams } from './apps/streams/openStream.ts';
import { createPlatform } from './createPlatform.ts';
import { endCommandWaits } from './devices/commands/untilFinished.ts';
import { startReaper } from './devices/presence/reaper.ts';
import { Gateway } from './doors/gateway/gateway.ts';
import { backlogMax } from './doors/gateway/listen.ts';
import type { Config } from './infra/config.ts';
import { createPartitions } from './infra/db/maintainPartitions.ts';
import { migrate } from './infra/db/migrate.ts';
import { type Postgres, startPostgres } from './infra/db/postgres.ts';
import { Pulse } from './infra/db/pulse.ts';
import { type Database, openDatabase } from './infra/db/sql.ts';
import { createLog, type Log } from './infra/log.ts';
import type { Resolve } from './infra/outside/resolve.ts';
import type { Platform } from './infra/platform.ts';
import { StartFault } from './infra/startFault.ts';
import { slices } from './slices.ts';
import { startTasks } from './tasks.ts';

const connectionsMax = 20;
/**
 * The gateway has its own database connections. It writes a few batches at a time, and many devices and callers wait
 * for each batch: in the queue of a busy API, every command result would wait as well.
 */
const gatewayConnectionsMax = 8;

export interface Started {
  platform: Platform;
  /** The address it listens on. */
  url: string;
  /** The address it listens on for MQTT, if it does. */
  mqttUrl: string | undefined;
  /** Stops accepting work, finishes what is running, and stops the database last. */
  stop(): Promise<void>;
}

/** Parts that exist already, or that a test replaces. */
export interface Given {
  clock?: () => Date;
  log?: Log;
  postgres?: Promise<Postgres>;
  consoleDir?: string;
  resolve?: Resolve;
  proxyLimits?: Partial<ProxyLimits>;
}

/** Starts the platform. If it cannot start, a database that was started for it is stopped as well. */
export async function startServer(config: Config, given: Given = {}): Promise<Started> {
  const log = given.log ?? createLog(config.logLevel);
  const postgres = await (given.postgres ??
    startPostgres({ ...config, log: { warn: text => log('warn', text) } }));
  const opened: { end(): Promise<void> }[] = [];
  try {
    await migrate(postgres.url);
    const pulse = new Pulse(postgres.url);
    const db = openDatabase(postgres.url, { max: connectionsMax, pulse });
    const gatewayDb = openDatabase(postgres.url, { max: gatewayConnectionsMax, pulse });
    opened.push(pulse, db, gatewayDb);
    return await startOn({ postgres, pulse, db, gatewayDb }, config, { ...given, log });
  } catch (error) {
    await Promise.all(opened.map(one => one.end()));
    await postgres.stop();
    throw error;
  }
}

interface Databases {
  postgres: Postgres;
  pulse: Pulse;
  db: Database;
  gatewayDb: Database;
}

/** Starts the parts in the order of their dependencies; `stop` stops them in reverse. */
async function startOn(
  { postgres, pulse, db, gatewayDb }: Databases,
  config: Config,
  given: Given & { log: Log },
): Promise<Started> {
  const { log, clock = () => new Date() } = given;
  await createPartitions(db, partitionsOf(slices), clock());
  const parts = await openInstallation(db, config, log);

  let url = '';
  let gateway: Gateway | undefined;
  const platform = createPlatform({
    config,
    db,
    clock,
    log,
    ...parts,
    slices: () => slices,
    resolve: given.resolve,
    proxyLimits: given.proxyLimits,
    listening: () => url,
    mqttUrl: () => gateway?.url,
    isHeard: (deviceId, topic) => gateway?.isHeard(deviceId, topic) ?? false,
  });
  const state = { draining: false };
  const consoleDir = given.consoleDir ?? join(import.meta.dirname, '../dist/console');
  gateway = config.roles.includes('gateway') ? new Gateway({ ...platform, db: gatewayDb }) : undefined;
  const app = await createApp(platform, { consoleDir, state, pulse, gateway });
  const connections = connectionsOf(app.server);
  const jobs = await startTasks(platform, slices);
  url = await listen(app, config).catch(async error => {
    await jobs.stop();
    throw error;
  });
  await gateway?.open();
  const stopReaping = startReaper(platform);

  return {
    platform,
    url,
    mqttUrl: platform.mqttUrl(),
    stop: () => {
      state.draining = true;
      return inTurn(log, [
        stopReaping,
        () => gateway?.close(),
        () => endEventStreams(platform),
        () => closeDoors(app, connections),
        () => gateway?.finish(),
        () => jobs.stop(),
        () => platform.systemLog.drain(),
        () => platform.traffic.flush(),
        () => platform.bus.end(),
        () => Promise.all([pulse.end(), db.end(), gatewayDb.end()]),
        () => postgres.stop(),
      ]);
    },
  };
}

/** Runs all steps of a stop. One that fails, on a full disk for instance, must not leave the others running. */
async function inTurn(log: Log, steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log('error', 'A part could not be stopped in order', { error: String(error) });
    }
  }
}

/** Calls that still run after this time are cut off: one that never ends must not prevent the stop. */
const finishMs = 20_000;

/**
 * Finishes running calls. Otherwise, a connection that was busy when the stop began would stay open for its next
 * request, and one that a browser opened in advance would stay open for its first.
 */
async function closeDoors(app: FastifyInstance, connections: ReadonlySet<Socket>): Promise<void> {
  const sweep = setInterval(() => {
    app.server.closeIdleConnections();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, 50);
  const cut = setTimeout(() => app.server.closeAllConnections(), finishMs);
  endLiveStreams();
  endCommandWaits();
  await app.close();
  clearInterval(sweep);
  clearTimeout(cut);
}

function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', socket => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port, backlog: backlogMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartFault(`Port ${port} is taken. Choose another: PORT=${port + 1} npm start`);
  }
  const address = app.server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  const name = host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host;
  return `http://${name}:${taken}`;
}
