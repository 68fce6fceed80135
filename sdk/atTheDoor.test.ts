import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { readCommand, sendCommand } from '#contract/command.ts';
import { editDevice, readDevice } from '#contract/device.ts';
import { kvBytesMax, writeKvPair } from '#contract/deviceClass.ts';
import {
  listDeviceEntities,
  listDeviceEvents,
  writeDesired,
  writeDeviceKvPair,
} from '#contract/deviceState.ts';
import { createLogRequest, readLogRequest } from '#contract/logRequest.ts';
import { listConnections } from '#contract/presence.ts';
import { createProject, editProject } from '#contract/project.ts';
import { testDatabase } from '#test/database.ts';
import { aDevice } from '#test/devices.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { newcomer } from '#test/newcomer.ts';
import { freePort, startMooring } from '#test/serverProcess.ts';
import { until } from '#test/until.ts';
import { connectDevice, type Device, type DeviceOptions } from './device.ts';

const at = aGatewayWorld();
const open: Device[] = [];
afterEach(() => {
  for (const device of open.splice(0)) device.close();
});

interface Identity {
  id: string;
  apiKey: string;
}

function connect({ id: deviceId, apiKey }: Identity, options: Partial<DeviceOptions> = {}): Device {
  const device = connectDevice({ url: at.world.url, deviceId, apiKey, ...options });
  open.push(device);
  return device;
}

const untilIs = (device: Device, state: Device['status']['state']) =>
  until(() => (device.status.state === state ? device.status : undefined));

async function connected(options: Partial<DeviceOptions> = {}, given: Parameters<typeof at.device>[0] = {}) {
  const identity = await at.device(given);
  const device = connect(identity, options);
  await untilIs(device, 'connected');
  const params = { deviceId: identity.id };
  return { identity, device, params, call: at.owner.client.call };
}

describe('a device of the SDK', () => {
  it('is connected for the platform too, and disconnected when it closes', async () => {
    const { identity, device } = await connected();
    expect(await at.read(identity)).toMatchObject({
      connectionStatus: 'connected',
      connection: { protocol: 'websocket' },
    });
    device.close();
    expect((await at.untilIs(identity, 'disconnected')).connection.reason).toBe('CLOSED');
  });

  it('that drops its connection is recorded as lost, not as closed', async () => {
    const { identity, device } = await connected();
    device.disconnect({ abruptly: true });
    expect((await at.untilIs(identity, 'disconnected')).connection.reason).toBe('LOST');
    device.connect();
    await at.untilIs(identity, 'connected');
  });

  it('reports state and events, which are stored once they are acknowledged', async () => {
    const { identity, device } = await connected();
    await device.reportState({ fan: { on: true }, lamp: 1 });
    await device.reportState({ lamp: null });
    expect((await at.stateOf(identity)).reported).toEqual({ fan: { on: true } });
    await Promise.all([device.sendEvent('door', { open: true }), device.sendEvent('tick', 7)]);
    await device.raiseAlert('smoke', { severity: 'critical', text: 'It burns.' });
    const events = await at.eventsOf(identity);
    expect(events.map(({ name, payload }) => [name, payload])).toEqual(
      expect.arrayContaining([
        ['door', { open: true }],
        ['tick', 7],
      ]),
    );
    expect(events.find(({ name }) => name === 'smoke')?.alert).toEqual({
      severity: 'critical',
      text: 'It burns.',
    });
  });

  it('answers commands, including one that was queued for it', async () => {
    const identity = await at.device();
    const { call } = at.owner.client;
    const params = { deviceId: identity.id };
    const waiting = await call(sendCommand, { params, body: { name: 'blink', args: { times: 2 } } });
    const device = connect(identity);
    device.onCommand('blink', args => ({ blinked: args }));
    const finished = await call(readCommand, {
      params: { ...params, commandId: waiting.id },
      query: { waitMs: 10_000 },
    });
    expect(finished).toMatchObject({ stage: 'done', result: { blinked: { times: 2 } } });
    const refused = await call(sendCommand, { params, body: { name: 'fly' } });
    expect(
      await call(readCommand, { params: { ...params, commandId: refused.id }, query: { waitMs: 10_000 } }),
    ).toMatchObject({ stage: 'failed', error: 'This device does not know the command fly.' });
  });

  it('receives the largest config there can be, and stays connected', async () => {
    const { id: deviceClass } = await at.deviceClass({});
    const { device, params, call } = await connected({}, { deviceClass });
    const states: string[] = [];
    device.onStatus(({ state }) => states.push(state));
    const configs: Record<string, unknown>[] = [];
    device.onConfig(config => configs.push(config));
    const value = 'x'.repeat(kvBytesMax - 2);
    for (let n = 0; n < 16; n++) {
      const query = { projectId: at.projectId };
      const ofClass = { classId: deviceClass, pairKey: `class-${n}` };
      await call(writeKvPair, { params: ofClass, query, body: { value } });
      await call(writeDeviceKvPair, { params: { ...params, pairKey: `device-${n}` }, body: { value } });
    }
    await until(() => (Object.keys(configs.at(-1) ?? {}).length === 32 ? true : undefined));
    expect(states).toEqual(['connected']);
  });

  it('receives the delta until it has reported it', async () => {
    const { device, params, call } = await connected();
    const deltas: unknown[] = [];
    device.onDelta(({ state }) => {
      deltas.push(state);
      if (Object.keys(state).length > 0) void device.reportState(state);
    });
    await call(writeDesired, { params, body: { desired: { fan: { on: true } } } });
    await until(() => (JSON.stringify(deltas.at(-1)) === '{}' && deltas.length > 1 ? true : undefined));
    expect(deltas).toContainEqual({ fan: { on: true } });
  });

  it('reads its config and reports its entities', async () => {
    const { device, params, call } = await connected();
    const configs: unknown[] = [];
    device.onConfig(config => configs.push(config));
    await call(writeDeviceKvPair, { params: { ...params, pairKey: 'every' }, body: { value: 60 } });
    await until(() => (configs.some(config => JSON.stringify(config) === '{"every":60}') ? true : undefined));
    await device.reportEntities([{ name: 'lamp-1', class: 'lamp', state: { on: true } }]);
    expect(await call(listDeviceEntities, { params })).toEqual([
      { name: 'lamp-1', class: 'lamp', state: { on: true } },
    ]);
  });

  it('is told which message was rejected, and why', async () => {
    const stateSchema = { type: 'object', properties: { lamp: { type: 'number' } } };
    const { id: deviceClass } = await at.deviceClass({ stateSchema });
    const { device } = await connected({}, { deviceClass });
    const rejected: unknown[] = [];
    device.onRejected(one => rejected.push(one));
    await device.reportState({ lamp: 'bright' });
    await until(() => rejected[0]);
    expect(rejected).toMatchObject([{ topic: 'state', reason: 'SCHEMA_BROKEN', faults: [{ at: '/lamp' }] }]);
  });

  it('uploads its log on request', async () => {
    const owner = await at.world.aDeveloper();
    const project = await at.world.aProject(owner);
    const { call } = owner.client;
    await call(editProject, { params: { projectId: project.id }, body: { enableDeviceLogRetrieval: true } });
    const identity = await aDevice(owner, project.id);
    const device = connect(identity);
    const ts = new Date('2026-11-20T08:30:00Z');
    device.onLogRequest(() => [
      { ts, level: 'info', text: 'wifi: connected' },
      { ts, level: 'info', text: 'motor: on' },
    ]);
    await untilIs(device, 'connected');
    const params = { deviceId: identity.id };
    const ask = { start: '2026-11-20T08:00:00Z', end: '2026-11-20T09:00:00Z', prefixes: ['wifi'] };
    const { id: requestId } = await call(createLogRequest, { params, body: ask });
    const done = await until(async () => {
      const request = await call(readLogRequest, { params: { ...params, requestId } });
      return ['success', 'failure', 'nologs'].includes(request.status) ? request : undefined;
    });
    expect(done.status).toBe('success');
    const file = Buffer.from(await (await fetch(done.url ?? '')).arrayBuffer());
    expect(JSON.parse(gunzipSync(file).toString())).toEqual({
      ts: ts.toISOString(),
      level: 2,
      text: 'wifi: connected',
    });
  });

  it('with a wrong key is told so and waits a long time', async () => {
    const { id } = await at.device();
    const device = connect({ id, apiKey: 'x'.repeat(32) });
    const status = await untilIs(device, 'waiting');
    expect(status).toMatchObject({ reason: 'WRONG_KEY' });
    expect(status.state === 'waiting' && status.retryAt.getTime() - Date.now()).toBeGreaterThan(10_000);
  });

  it('that is suspended is told so', async () => {
    const { device, params, call } = await connected();
    await call(editDevice, { params, body: { suspended: true } });
    expect(await untilIs(device, 'waiting')).toMatchObject({ reason: 'SUSPENDED' });
    device.connect();
    const status = await until(() => {
      const { status } = device;
      return status.state === 'waiting' && status.reason !== 'SUSPENDED' ? status : undefined;
    });
    expect(status.reason).toBe('NOT_ALLOWED');
  });

  it('that is taken over does not take the connection back', async () => {
    // Both use the device id as client id, so that a device takes over its own old connection after a power cut.
    const { identity, device, params, call } = await connected();
    const other = connect(identity);
    await untilIs(other, 'connected');
    expect(await untilIs(device, 'waiting')).toMatchObject({ reason: 'TAKEN_OVER' });
    const listed = await call(listConnections, { params });
    expect(listed.map(({ clientId }) => clientId)).toEqual([identity.id]);
    expect(other.status.state).toBe('connected');
  });
});

it('nothing that was acknowledged is lost when the server restarts, and the device reconnects', async () => {
  const database = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-sdk-'));
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(await freePort()) };
  let server = await startMooring(settings);
  const { client } = await newcomer(server.url, 'restart@example.com');
  const project = await client.call(createProject, { body: { name: 'Restart' } });
  const { id, apiKey } = await aDevice({ client } as Parameters<typeof aDevice>[0], project.id);
  const device = connect({ id, apiKey }, { url: server.url });
  await untilIs(device, 'connected');

  const kept: Promise<number>[] = [];
  const say = (n: number) => kept.push(device.sendEvent('tick', n).then(() => n));
  for (let n = 0; n < 20; n++) say(n);
  const stopping = server.stop();
  for (let n = 20; n < 40; n++) say(n);
  await stopping;
  await untilIs(device, 'waiting');
  for (let n = 40; n < 60; n++) say(n);
  server = await startMooring(settings);
  device.connect();
  expect(await Promise.all(kept)).toHaveLength(60);

  const lately = {
    begin: new Date(Date.now() - 3600_000).toISOString(),
    end: new Date(Date.now() + 60_000).toISOString(),
  };
  const events = await client.call(listDeviceEvents, {
    params: { deviceId: id },
    query: { ...lately, maxEntries: 999 },
  });
  expect(
    [...new Set(events.map(({ payload }) => payload))].toSorted((a, b) => Number(a) - Number(b)),
  ).toEqual(Array.from({ length: 60 }, (_, n) => n));
  expect(await client.call(readDevice, { params: { deviceId: id } })).toMatchObject({
    connectionStatus: 'connected',
  });
  device.close();
  await server.stop();
  await database.end();
  rmSync(dataDir, { recursive: true, force: true });
});
