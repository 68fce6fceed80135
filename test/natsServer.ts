import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from './serverProcess.ts';
import { until } from './until.ts';

/** The path of nats-server; undefined if there is none. `npm test` installs one if possible. */
export const natsServerPath = [
  process.env.NATS_SERVER ?? '',
  ...['/usr/sbin', '/usr/local/bin', ...(process.env.PATH ?? '').split(delimiter)].map(folder =>
    join(folder, 'nats-server'),
  ),
].find(path => path !== '' && existsSync(path));

export interface NatsServer {
  url: string;
  /** Stops the server as an operator would; `start` starts it again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function aNatsServer(): Promise<NatsServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      if (!child || child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
      child = undefined;
    },
    async start() {
      child = spawn(natsServerPath ?? '', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
      await until(() => answers(port));
    },
  };
  await server.start();
  return server;
}

function answers(port: number): Promise<true | undefined> {
  const socket = connect({ host: '127.0.0.1', port });
  return new Promise(resolve => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(undefined));
  }).then(answer => {
    socket.destroy();
    return answer as true | undefined;
  });
}
