import { describe, expect, it, vi } from 'vitest';
import { disconnectReasons } from '#contract/deviceWire.ts';
import { aFakeGateway, uncaughtDuring } from '#test/fakeGateway.ts';
import { connectDevice, type Device } from './device.ts';

const at = aFakeGateway();
const { aDevice, settle } = at;

const stateOf = (device: Device) => device.status.state;
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'kept',
    (error: unknown) => (error instanceof Error && 'reason' in error ? error.reason : error),
  );

describe('an outgoing message', () => {
  it('is stored only once it is acknowledged, over any number of connections', async () => {
    at.gateway.acknowledges = false;
    const device = await aDevice();
    const sent = outcome(device.sendEvent('door', { open: true }));
    await settle();
    at.gateway.last.cut();
    await settle(60_000);
    at.gateway.last.cut();
    at.gateway.acknowledges = true;
    await settle(60_000);
    expect(await sent).toBe('kept');
    const packets = at.gateway.published.map(({ packet }) => packet);
    expect(packets.map(({ dup }) => dup)).toEqual([false, true, true]);
    expect(new Set(packets.map(({ packetId }) => packetId)).size).toBe(1);
    expect(device.waiting).toBe(0);
  });

  it('keeps its order when a connection breaks', async () => {
    at.gateway.acknowledges = false;
    const device = await aDevice();
    for (let n = 0; n < 30; n++) device.sendEvent('tick', n);
    await settle();
    at.gateway.last.cut();
    at.gateway.acknowledges = true;
    await settle(60_000);
    const kept = at.gateway.last.received.filter(packet => packet.type === 'publish');
    expect(kept.map(({ payload }) => Number(new TextDecoder().decode(payload)))).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
    const ids = kept.map(({ packetId }) => packetId);
    expect(new Set(ids).size).toBe(30);
  });

  it('waits while there is no connection, up to a limit', async () => {
    at.gateway.isAway = true;
    const device = await aDevice({ outbox: { countMax: 2 } });
    const sent = [1, 2, 3].map(n => outcome(device.sendEvent('tick', n)));
    expect(await sent[2]).toBe('OUTBOX_FULL');
    at.gateway.isAway = false;
    await settle(60_000);
    expect(await Promise.all(sent)).toEqual(['kept', 'kept', 'OUTBOX_FULL']);
  });

  it('is never sent faster than the platform accepts it', async () => {
    const device = await aDevice();
    for (let n = 0; n < 500; n++) device.sendEvent('tick', n);
    let before = 0;
    for (let s = 1; s <= 10; s++) {
      await settle(1000);
      expect(at.gateway.published.length).toBeLessThanOrEqual(100 + 20 * s);
      expect(at.gateway.published.length).toBeGreaterThan(before);
      before = at.gateway.published.length;
    }
  });

  it('is sent at half the rate after each time the rate limit was exceeded', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const device = await aDevice({ outbox: { countMax: 5_000 } });
    for (let n = 0; n < 3_000; n++) device.sendEvent('tick', n).catch(() => undefined);
    const pace = async () => {
      await settle(30_000);
      const before = at.gateway.published.length;
      await settle(10_000);
      return Math.round((at.gateway.published.length - before) / 10);
    };
    const paces = [await pace()];
    for (let n = 0; n < 2; n++) {
      at.gateway.last.cut(disconnectReasons.RATE_EXCEEDED);
      paces.push(await pace());
    }
    expect(paces).toEqual([18, 9, 5]);
  });

  it('that is too large, not JSON, or has no valid name is never sent', async () => {
    const device = await aDevice();
    const loop: Record<string, never> = {};
    Object.assign(loop, { loop });
    expect(await outcome(device.sendEvent('big', 'x'.repeat(128 * 1024)))).toBe('TOO_LARGE');
    expect(await outcome(device.reportState(loop))).toBe('NOT_JSON');
    expect(await outcome(device.sendEvent('a/b'))).toBe('NAME_INVALID');
    expect(await outcome(device.sendEvent('a+'))).toBe('NAME_INVALID');
    expect(at.gateway.published).toEqual([]);
  });

  it('fails when the device is closed, without crashing a program that does not await it', async () => {
    at.gateway.acknowledges = false;
    const device = await aDevice();
    const sent = outcome(device.sendEvent('door'));
    device.sendEvent('window');
    device.close();
    expect(await sent).toBe('CLOSED');
    expect(await outcome(device.sendEvent('door'))).toBe('CLOSED');
  });

  it('of the state merges all waiting reports', async () => {
    at.gateway.isAway = true;
    const device = await aDevice();
    const reports = [
      device.reportState({ fan: { on: true }, lamp: 1 }),
      device.reportState({ fan: { speed: 2 } }),
      device.reportState({ lamp: null }),
    ].map(outcome);
    at.gateway.isAway = false;
    await settle(60_000);
    expect(await Promise.all(reports)).toEqual(['kept', 'kept', 'kept']);
    expect(at.gateway.published.map(({ json }) => json)).toEqual([
      { fan: { on: true, speed: 2 }, lamp: null },
    ]);
    device.reportState({ lamp: 2 });
    expect(at.gateway.published.at(-1)?.json).toEqual({ lamp: 2 });
  });

  it('of the state says what was so when it was reported, though the program goes on with the object', async () => {
    at.gateway.isAway = true;
    const device = await aDevice();
    const state = { fan: { on: true }, lamp: 1 };
    device.reportState(state);
    state.fan.on = false;
    device.reportState({ heat: 2 });
    at.gateway.isAway = false;
    await settle(60_000);
    expect(at.gateway.published.map(({ json }) => json)).toEqual([{ fan: { on: true }, lamp: 1, heat: 2 }]);
  });

  it('with an alert carries it beside the payload', async () => {
    const device = await aDevice();
    device.raiseAlert('door', { severity: 'warning', text: 'Open' }, { open: true });
    device.reportEntities([{ name: 'lamp-1', class: 'lamp' }]);
    device.reportInstalled({ components: [{ component: 'main', version: '1' }] });
    device.reportProgress({ state: 'downloading', percent: 4 });
    expect(at.gateway.published.map(({ topic, json }) => [topic, json])).toEqual([
      ['d/dev_1/events/door', { open: true, _alert: { severity: 'warning', text: 'Open' } }],
      ['d/dev_1/entities', [{ name: 'lamp-1', class: 'lamp' }]],
      ['d/dev_1/installed', { components: [{ component: 'main', version: '1' }] }],
      ['d/dev_1/progress', { state: 'downloading', percent: 4 }],
    ]);
  });

  it('to the live log is sent only while somebody watches', async () => {
    const device = await aDevice();
    device.log('info', 'one');
    at.gateway.tell('d/dev_1/log/wanted', { wanted: true });
    await settle();
    device.log('warn', 'two');
    at.gateway.tell('d/dev_1/log/wanted', { wanted: false });
    await settle();
    device.log('info', 'three');
    expect(at.gateway.published.map(({ json, packet }) => [json, packet.qos])).toEqual([
      [{ ts: expect.any(String), level: 1, text: 'two' }, 0],
    ]);
  });
});

describe('an incoming message', () => {
  it('is passed to listeners, including ones added later', async () => {
    const device = await aDevice();
    const heard: unknown[] = [];
    device.onDesired(({ version, state }) => heard.push([version, state]));
    at.gateway.tell('d/dev_1/desired', { version: 3, desired: { on: true } });
    at.gateway.tell('d/dev_1/delta', { version: 3, delta: { on: true } });
    at.gateway.tell('d/dev_1/config', { every: 60 });
    at.gateway.tell('d/dev_1/target', null);
    await settle();
    device.onDelta(({ state }) => heard.push(state));
    device.onConfig(config => heard.push(config));
    device.onTarget(target => heard.push(target));
    expect(heard).toEqual([[3, { on: true }], { on: true }, { every: 60 }, null]);
  });

  it('is acknowledged, whatever the listeners do with it', async () => {
    const device = await aDevice();
    const after: unknown[] = [];
    device.onConfig(() => {
      throw new Error('A fault of the program.');
    });
    device.onConfig(config => after.push(config));
    const faults = await uncaughtDuring(async () => {
      at.gateway.tell('d/dev_1/config', { every: 60 });
      await settle();
    });
    expect(faults).toEqual([new Error('A fault of the program.')]);
    expect(after).toEqual([{ every: 60 }]);
    expect(at.gateway.last.received.at(-1)).toEqual({ type: 'puback', packetId: 7 });
  });

  it('that makes no sense is ignored', async () => {
    const device = await aDevice();
    const heard: unknown[] = [];
    device.onDesired(state => heard.push(state));
    device.onRejected(rejected => heard.push(rejected.reason));
    at.gateway.tell('d/dev_1/desired', { desired: [] });
    at.gateway.tell('d/dev_1/unheard/of', {});
    at.gateway.tell('d/dev_2/config', {});
    at.gateway.tell('d/dev_1/rejected', { topic: 'events/a', reason: 'MALFORMED', message: 'No.' });
    await settle();
    expect(heard).toEqual(['MALFORMED']);
    expect(stateOf(device)).toBe('connected');
  });
});

it('an older runtime is told at once what is missing', () => {
  vi.stubGlobal('WebSocket', undefined);
  const options = { url: 'http://localhost', deviceId: 'dev_1', apiKey: 'key' };
  expect(() => connectDevice(options)).toThrow(
    'The device SDK needs Node 22 or later, or a current browser: this runtime has no WebSocket.',
  );
  vi.unstubAllGlobals();
});
