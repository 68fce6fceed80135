import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const readyMaxMs = 60_000;

/** Caches compiled code, as `npm run` does; a program then starts in half the time. */
export const compiled = { NODE_COMPILE_CACHE: join(root, '.runtime/compiled') };

/** The environment that `npm start` sets. */
const asStarted: Record<string, string> = {
  ...(JSON.parse(readFileSync(join(root, 'scripts/serverEnv.json'), 'utf8')) as Record<string, string>),
  ...compiled,
};

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** Milliseconds from the start of the process until /readyz first reports ready. */
  readyMs: number;
  /** Stops the process as an operator would. */
  stop(): Promise<void>;
}

/** Starts one of our programs as a separate process and waits until it is ready. */
export async function startProcess(file: string, env: Record<string, string>): Promise<ServerProcess> {
  const port = env.PORT ?? String(await freePort());
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(root, file)], {
    cwd: root,
    env: { ...process.env, ...asStarted, ...env, PORT: port },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child).catch(error => {
    child.kill('SIGTERM');
    throw error;
  });
  return {
    url,
    child,
    readyMs: performance.now() - startedAt,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export function startMooring(env: Record<string, string>): Promise<ServerProcess> {
  const quiet = { LOG_LEVEL: 'silent', RATE_LIMITS: 'off', MQTT_PORT: 'off' };
  return startProcess('server/main.ts', { ...quiet, ...env });
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const end = performance.now() + readyMaxMs;
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(5);
  }
  throw new Error('The server did not get ready.');
}

let portsGiven = 0;

/** Below the range of ephemeral ports, so that no other program gets the port before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + ((process.pid * 31 + portsGiven++) % 12_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise(resolve => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
