import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { joinPostgres } from '#server/infra/db/postgres.ts';
import { aNatsServer } from '#test/natsServer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';

export type Part = 'gateway' | 'worker';

export interface PlatformInParts {
  /** The URL of the API and the console. */
  url: string;
  /** The URL of the gateway. */
  deviceUrl: string;
  /** Kills a part without warning, and restarts it at the same port. */
  kill(part: Part): Promise<void>;
  killPostgres(): void;
  stop(): Promise<void>;
}

/** API, gateway and worker as separate processes with one database, so that each can be killed alone. */
export async function aPlatformInParts(dataDir: string): Promise<PlatformInParts> {
  const nats = await aNatsServer();
  const [apiPort, gatewayPort, workerPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const shared = { DATA_DIR: dataDir, NATS_URL: nats.url, PUBLIC_URL: `http://127.0.0.1:${apiPort}` };
  const api = await startMooring({ ...shared, PORT: String(apiPort), ROLES: 'api' });
  const { url: DATABASE_URL } = await joinPostgres({ dataDir, log: { warn: console.warn } });
  const ports = { gateway: gatewayPort, worker: workerPort };
  const start = (part: Part) =>
    startMooring({ ...shared, DATABASE_URL, ROLES: part, PORT: String(ports[part]) });
  const parts = { gateway: await start('gateway'), worker: await start('worker') };
  return {
    url: api.url,
    deviceUrl: parts.gateway.url,
    async kill(part) {
      await kill(parts[part]);
      parts[part] = await start(part);
    },
    killPostgres() {
      const file = join(realpathSync(join(dataDir, 'postgres')), 'postmaster.pid');
      process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
    },
    async stop() {
      await Promise.all([parts.gateway.stop(), parts.worker.stop()]);
      await api.stop();
      await nats.stop();
    },
  };
}

async function kill({ child }: ServerProcess): Promise<void> {
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
