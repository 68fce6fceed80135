import { describe, expect, it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { checkDevice } from '#contract/deviceHealth.ts';
import { listConnections, readPresence } from '#contract/presence.ts';
import { hourMs } from '#rules/time/durations.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, rawDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

describe('a device', () => {
  it('is connected from its CONNACK until it disconnects', async () => {
    const device = await at.device();
    expect((await at.read(device)).connectionStatus).toBe('never');
    await using here = await at.connect(device);
    expect(await at.read(device)).toMatchObject({
      connectionStatus: 'connected',
      connection: { protocol: 'mqtt', address: '127.0.0.1' },
    });
    await here.client.endAsync();
    const left = await at.untilIs(device, 'disconnected');
    expect(left.connection.reason).toBe('CLOSED');
    await at.untilLogged(device, 'Connected over MQTT from 127.0.0.1 as ');
    await at.untilLogged(device, 'Disconnected: The device disconnected.');
  });

  it('whose connection breaks is disconnected with the reason LOST', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    raw.send(connectPacket(device));
    expect(await raw.next('connack')).toMatchObject({ code: 0, sessionPresent: false });
    raw.socket.destroy();
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('LOST');
  });

  it('that is silent for one and a half times its keep-alive interval is disconnected', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    raw.send(connectPacket(device, { keepAliveS: 1 }));
    await raw.next('connack');
    await raw.ended();
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('SILENT');
  });

  it('is connected as long as one of its connections is open, and each is listed', async () => {
    const device = await at.device();
    await using first = await at.connect(device, { clientId: 'first' });
    await using second = await at.connect(device, { clientId: 'second' });
    const listed = await at.owner.client.call(listConnections, { params: { deviceId: device.id } });
    expect(listed.map(({ clientId }) => clientId).toSorted()).toEqual(['first', 'second']);
    await first.client.endAsync();
    await until(async () => {
      const left = await at.owner.client.call(listConnections, { params: { deviceId: device.id } });
      return left.length === 1 ? left : undefined;
    });
    expect((await at.read(device)).connectionStatus).toBe('connected');
    await second.client.endAsync();
    await at.untilIs(device, 'disconnected');
  });

  it('that lost power four times without disconnecting can connect again at once', async () => {
    const device = await at.device();
    // The earlier connections stay open on this side, because nobody closed them.
    for (const clientId of ['a', 'b', 'c', 'd']) await at.connect(device, { clientId });
    await using fifth = await at.connect(device, { clientId: 'e' });
    await fifth.say('events/back', {});
    const listed = await at.owner.client.call(listConnections, { params: { deviceId: device.id } });
    expect(listed.map(({ clientId }) => clientId).toSorted()).toEqual(['b', 'c', 'd', 'e']);
    const entry = await at.untilLogged(device, 'this one had been silent the longest');
    expect(entry.detail).toMatchObject({ reason: 'DISPLACED', clientId: 'a' });
  });

  it('keeps its active connections when it opens a fifth', async () => {
    const device = await at.device();
    const [a, b, ...others] = await Promise.all(
      ['a', 'b', 'c', 'd'].map(clientId => at.connect(device, { clientId })),
    );
    for (const one of [a, ...others]) await one?.say('events/here', {});
    await using _ = await at.connect(device, { clientId: 'e' });
    await b?.ended();
    await a?.say('events/here', {});
    await until(async () => {
      const { layers } = await at.owner.client.call(checkDevice, { params: { deviceId: device.id } });
      const found = layers.find(({ id }) => id === 'connected');
      return found?.verdict === 'warn' && found.text.includes('silent the longest of four')
        ? found
        : undefined;
    });
    await Promise.all([a, ...others].map(one => one?.client.endAsync()));
  });

  it('that reconnects with the same client id takes over its connection, and stays connected', async () => {
    const device = await at.device();
    await using older = await at.connect(device, { clientId: 'same' });
    await using newer = await at.connect(device, { clientId: 'same' });
    await older.ended();
    await newer.say('events/here', {});
    expect(await at.read(device)).toMatchObject({ connectionStatus: 'connected' });
    await at.untilLogged(device, 'Another connection took over the client id.');
    const nowMs = at.world.now().getTime();
    const presence = await at.owner.client.call(readPresence, {
      params: { deviceId: device.id },
      query: { begin: new Date(nowMs - hourMs).toISOString(), end: new Date(nowMs + hourMs).toISOString() },
    });
    expect(presence.changes.map(({ connected }) => connected)).toEqual([true]);
  });

  it('with the same client id as another device does not affect it', async () => {
    const [one, other] = [await at.device(), await at.device()];
    await using here = await at.connect(one, { clientId: 'same' });
    await using there = await at.connect(other, { clientId: 'same' });
    await here.say('events/here', {});
    await there.say('events/here', {});
  });

  it('that is suspended is disconnected within a second, and refused until it is resumed', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    const params = { deviceId: device.id };
    await at.owner.client.call(editDevice, { params, body: { suspended: true } });
    await here.ended();
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('SUSPENDED');
    await expect(at.connect(device)).rejects.toThrow('Not authorized');
    await at.owner.client.call(editDevice, { params, body: { suspended: false } });
    await using again = await at.connect(device);
    await again.say('events/here', {});
  });
});

describe('a message of a device', () => {
  it('is stored before it is acknowledged', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('events/door', { open: true, _alert: { severity: 'warning', text: 'Open' } });
    const [event] = await at.eventsOf(device);
    expect(event).toMatchObject({ name: 'door', alert: { severity: 'warning', text: 'Open' } });
  });

  it('about its state is merged into the reported state', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('state', { fan: { on: true }, t: 20 });
    await here.say('state', { fan: { speed: 2 }, t: null });
    expect((await at.stateOf(device)).reported).toEqual({ fan: { on: true, speed: 2 } });
  });
});
