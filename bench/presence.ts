import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { createDevice, type Device, editDevice, readDevice, rotateDeviceKey } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { createProject } from '#contract/project.ts';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { browserFetch } from '#test/browserFetch.ts';
import { newcomer } from '#test/newcomer.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';
import { report } from './report.ts';

const keepAliveS = 10;
const rounds = 3;
const lookMs = 20;

/**
 * How fast the platform reports a device as disconnected, for each way of losing a connection. `npm run bench --
 * presence`
 */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url };
  // The observer, which keeps running when the other process is killed.
  const api = await startMooring({ ...env, ROLES: 'api,worker' });
  const { client, cookies } = await newcomer(api.url, 'bench@example.com');
  const { id: projectId } = await client.call(createProject, { body: { name: 'presence' } });
  await client.call(createDeviceClass, { params: { projectId }, body: { id: 'bench' } });

  let mqttPort = await freePort();
  const open = () => startMooring({ ...env, MQTT_PORT: String(mqttPort) });
  let gateway: ServerProcess = await open();
  const there = () => createClient({ baseUrl: `${gateway.url}/api`, fetch: browserFetch(cookies) });

  const look = (deviceId: string) => client.call(readDevice, { params: { deviceId } });
  async function until(deviceId: string, status: string): Promise<Device> {
    for (;;) {
      const device = await look(deviceId);
      if (device.connectionStatus === status) return device;
      await wait(lookMs);
    }
  }

  async function measure(leave: (held: Held) => Promise<unknown> | unknown): Promise<[number, string]> {
    const times: number[] = [];
    let reason = '';
    for (let i = 0; i < rounds; i++) {
      const device = await client.call(createDevice, {
        body: { projectId, tag: `d${i}`, deviceClass: 'bench' },
      });
      const held = await hold(device, mqttPort);
      await until(device.id, 'connected');
      const startedAt = performance.now();
      await leave(held);
      reason = (await until(device.id, 'disconnected')).connection.reason ?? '';
      times.push(performance.now() - startedAt);
      held.end();
    }
    return [Math.max(...times), reason];
  }

  const params = ({ device }: Held) => ({ params: { deviceId: device.id } });
  const rows: [string, [number, string], string][] = [
    ['it sends DISCONNECT', await measure(({ child }) => child.kill('SIGTERM')), 'at once'],
    ['its process is killed (kill -9)', await measure(({ child }) => child.kill('SIGKILL')), 'at once'],
    [`the network fails, keep-alive ${keepAliveS} s`, await measure(({ cut }) => cut()), '1.5 × keep-alive'],
    [
      'it is suspended',
      await measure(held => there().call(editDevice, { ...params(held), body: { suspended: true } })),
      '1 s',
    ],
    [
      'its key is rotated without a grace period',
      await measure(held => there().call(rotateDeviceKey, { ...params(held), body: { graceS: 0 } })),
      '5 s',
    ],
    [
      'its gateway is killed (kill -9)',
      await measure(async () => {
        gateway.child.kill('SIGKILL');
        await once(gateway.child, 'exit');
        mqttPort = await freePort();
        gateway = await open();
      }),
      '30 s',
    ],
  ];
  await Promise.all([gateway.stop(), api.stop()]);
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
  report({
    title: 'Presence: how fast a disconnected device is detected',
    command: 'npm run bench -- presence',
    head: ['event', `detected, slowest of ${rounds}`, 'promised', 'reason'],
    rows: rows.map(([name, [ms, reason], bar]) => [name, `${(ms / 1000).toFixed(2)} s`, bar, reason]),
    notes: [
      `From the event to the answer of the API, which is polled every ${lookMs} ms. The device is mosquitto_sub in a separate process.`,
      'One process with all roles holds the connections; another, which keeps running, is polled.',
    ],
  });
}

interface Held {
  device: Device;
  child: ChildProcess;
  /** Silently drops everything in both directions from then on. */
  cut: () => void;
  end: () => void;
}

/** A device that stays connected, over a connection that can be cut. */
async function hold(device: Device, mqttPort: number): Promise<Held> {
  let isCut = false;
  const sockets: Socket[] = [];
  const line = createServer(near => {
    const far = connect(mqttPort, '127.0.0.1');
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', bytes => isCut || to.write(bytes));
      from.on('close', () => isCut || to.destroy());
      from.on('error', () => undefined);
    }
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const address = line.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const login = ['-h', '127.0.0.1', '-p', String(port), '-u', device.id, '-P', device.apiKey ?? ''];
  const child = spawn(
    'mosquitto_sub',
    [...login, '-k', String(keepAliveS), '-q', '1', '-t', `d/${device.id}/#`],
    { stdio: 'ignore' },
  );
  return {
    device,
    child,
    cut: () => {
      isCut = true;
    },
    end: () => {
      child.kill('SIGKILL');
      line.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
