import { describe, expect, it } from 'vitest';
import { editDevice, listConnections, readPresence } from '#contract/device.ts';
import { checkDevice } from '#contract/deviceHealth.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, rawDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { hourMs } from '#test/world.ts';

const at = aGatewayWorld();

describe('a device', () => {
  it('is connected from its CONNACK on, until it leaves', async () => {
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

  it('whose line breaks is gone, and the reason says so', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    raw.send(connectPacket(device));
    expect(await raw.next('connack')).toMatchObject({ code: 0, sessionPresent: false });
    raw.socket.destroy();
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('LOST');
  });

  it('that says nothing for one and a half times its keep-alive time is let go', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    raw.send(connectPacket(device, { keepAliveS: 1 }));
    await raw.next('connack');
    await raw.ended();
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe('SILENT');
  });

  it('is connected as long as one of its connections is, and each is listed', async () => {
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

  it('that lost its power four times without a word is back at once', async () => {
    const device = await at.device();
    // What it connected with before stays open on this side: nobody closed it.
    for (const clientId of ['a', 'b', 'c', 'd']) await at.connect(device, { clientId });
    await using fifth = await at.connect(device, { clientId: 'e' });
    await fifth.say('events/back', {});
    const listed = await at.owner.client.call(listConnections, { params: { deviceId: device.id } });
    expect(listed.map(({ clientId }) => clientId).toSorted()).toEqual(['b', 'c', 'd', 'e']);
    const entry = await at.untilLogged(device, 'this one had been silent the longest');
    expect(entry.detail).toMatchObject({ reason: 'DISPLACED', clientId: 'a' });
  });

  it('keeps the connections that speak when it opens a fifth', async () => {
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

  it('that comes back under the same client id takes over, and stays connected', async () => {
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

  it('with the client id of another device disturbs nobody', async () => {
    const [one, other] = [await at.device(), await at.device()];
    await using here = await at.connect(one, { clientId: 'same' });
    await using there = await at.connect(other, { clientId: 'same' });
    await here.say('events/here', {});
    await there.say('events/here', {});
  });

  it('that is suspended is let go within a second, and refused', async () => {
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

describe('what a device says', () => {
  it('is kept before it is acknowledged', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('events/door', { open: true, _alert: { severity: 'warning', text: 'Open' } });
    const [event] = await at.eventsOf(device);
    expect(event).toMatchObject({ name: 'door', alert: { severity: 'warning', text: 'Open' } });
  });

  it('about its state is merged', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('state', { fan: { on: true }, t: 20 });
    await here.say('state', { fan: { speed: 2 }, t: null });
    expect((await at.stateOf(device)).reported).toEqual({ fan: { on: true, speed: 2 } });
  });
});
