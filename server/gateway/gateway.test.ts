import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDevice } from '#contract/device.ts';
import { listDeviceEvents, readDeviceState } from '#contract/deviceState.ts';
import { readDeviceLogEntries } from '#contract/logRequest.ts';
import { aDevice } from '#test/devices.ts';
import { mqttDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { aWorld, hourMs, type SignedIn, type World } from '#test/world.ts';

let world: World;
let owner: SignedIn;
let projectId: string;
let url: string;
beforeAll(async () => {
  world = await aWorld({ MQTT_PORT: '0' });
  url = world.mqttUrl ?? '';
  owner = await world.aDeveloper();
  projectId = (await world.aProject(owner)).id;
});
afterAll(() => world.end());

const read = (deviceId: string) => owner.client.call(readDevice, { params: { deviceId } });
const lately = () => ({
  begin: new Date(world.now().getTime() - hourMs).toISOString(),
  end: new Date(world.now().getTime() + hourMs).toISOString(),
});
const eventsOf = (deviceId: string) =>
  owner.client.call(listDeviceEvents, { params: { deviceId }, query: lately() });
const logOf = (deviceId: string) =>
  owner.client.call(readDeviceLogEntries, { params: { deviceId }, query: lately() });

describe('a device', () => {
  it('is connected from its CONNACK on, until it leaves', async () => {
    const device = await aDevice(owner, projectId);
    expect((await read(device.id)).connectionStatus).toBe('never');
    await using at = await mqttDevice(url, device);
    expect(await read(device.id)).toMatchObject({
      connectionStatus: 'connected',
      connection: { protocol: 'mqtt', address: '127.0.0.1' },
    });
    await at.client.endAsync();
    const left = await until(async () => {
      const now = await read(device.id);
      return now.connectionStatus === 'disconnected' ? now : undefined;
    });
    expect(left.connection.reason).toBe('CLOSED');
    const texts = await until(async () => {
      const entries = await logOf(device.id);
      return entries.length >= 2 ? entries.map(({ text }) => text) : undefined;
    });
    expect(texts[0]).toBe('Disconnected: The device disconnected.');
    expect(texts[1]).toMatch(/^Connected over MQTT from 127.0.0.1 as /);
  });

  it('has its event kept before it is acknowledged', async () => {
    const device = await aDevice(owner, projectId);
    await using at = await mqttDevice(url, device);
    await at.say('events/door', { open: true, n: 1.5, _alert: { severity: 'warning', text: 'Open' } });
    const [event] = await eventsOf(device.id);
    expect(event).toMatchObject({ name: 'door', alert: { severity: 'warning', text: 'Open' } });
  });

  it('has its state merged, and is told what is left to do', async () => {
    const device = await aDevice(owner, projectId);
    await using at = await mqttDevice(url, device);
    await at.listen('#');
    expect(await at.next('delta')).toMatchObject({ payload: { version: 0, delta: {} }, retain: true });
    await at.say('state', { fan: { on: true }, t: 20 });
    await at.say('state', { fan: { speed: 2 }, t: null });
    const state = await owner.client.call(readDeviceState, { params: { deviceId: device.id } });
    expect(state.reported).toEqual({ fan: { on: true, speed: 2 } });
  });
});
