import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#server/infra/config.ts';
import { StartFault } from '#server/infra/startFault.ts';
import { aCertificate } from '#test/certificate.ts';
import { aDevice } from '#test/devices.ts';
import { mqttDevice } from '#test/mqttDevice.ts';
import { aWorld } from '#test/world.ts';
import { listenForDevices } from './listen.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-tls-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = (mqttPort: number, tls?: { certFile: string; keyFile: string }) => ({
  host: '127.0.0.1',
  mqttPort,
  mqttTls: tls,
});

it('with a certificate, devices can connect over TLS only', async () => {
  const { cert, key } = aCertificate(['localhost']);
  const settings = { MQTT_TLS_CERT: join(folder, 'cert.pem'), MQTT_TLS_KEY: join(folder, 'key.pem') };
  writeFileSync(settings.MQTT_TLS_CERT, cert);
  writeFileSync(settings.MQTT_TLS_KEY, key);
  const world = await aWorld({ MQTT_PORT: '0', ...settings });
  expect(world.mqttUrl).toMatch(/^mqtts:\/\/localhost:\d+$/);
  const owner = await world.aDeveloper();
  const device = await aDevice(owner, (await world.aProject(owner)).id);
  const url = world.mqttUrl ?? '';
  const here = await mqttDevice(url, device, { ca: [cert] });
  await here.say('events/here', {});
  await here.client.endAsync();
  await expect(mqttDevice(url.replace('mqtts', 'mqtt'), device, { connectTimeout: 1_000 })).rejects.toThrow();
  await world.end();
});

it('a connection is counted before its TLS handshake, which may never complete', async () => {
  const { cert, key } = aCertificate(['localhost']);
  const tls = { certFile: join(folder, 'counted.pem'), keyFile: join(folder, 'counted.key') };
  writeFileSync(tls.certFile, cert);
  writeFileSync(tls.keyFile, key);
  const come = Promise.withResolvers<Socket>();
  const listening = await listenForDevices(config(0, tls), come.resolve);
  const { hostname, port } = new URL(listening?.url ?? '');
  const silent = connect({ host: hostname, port: Number(port) });
  const socket = await come.promise;
  socket.destroy();
  await once(silent.resume(), 'close');
  listening?.stop();
});

it('a process without the gateway role accepts no devices', async () => {
  const world = await aWorld({ MQTT_PORT: '0', ROLES: 'api,worker' });
  expect(world.mqttUrl).toBeUndefined();
  for (const path of ['/device/v1/target', '/mqtt']) {
    const answer = await fetch(`${world.url}${path}`);
    expect(answer.status).toBe(404);
  }
  await world.end();
});

it('a port in use and an unreadable certificate are explained in a sentence', async () => {
  const first = await listenForDevices(config(0), () => undefined);
  const port = Number(new URL(first?.url ?? '').port);
  await expect(listenForDevices(config(port), () => undefined)).rejects.toThrow(
    `Port ${port} is taken. Choose another: MQTT_PORT=${port + 1} npm start`,
  );
  first?.stop();
  const nowhere = { certFile: join(folder, 'no.pem'), keyFile: join(folder, 'no.pem') };
  await expect(listenForDevices(config(0, nowhere), () => undefined)).rejects.toThrow(StartFault);
});

it('a certificate without its key is rejected at startup', () => {
  expect(() => readConfig({ MQTT_TLS_CERT: 'cert.pem' })).toThrow(
    'Only one of MQTT_TLS_CERT and MQTT_TLS_KEY is set',
  );
});
