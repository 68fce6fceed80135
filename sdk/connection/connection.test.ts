import { describe, expect, it, vi } from 'vitest';
import { disconnectReasons } from '#contract/deviceWire.ts';
import { encodePacket } from '#mqtt/mqttPacket.ts';
import type { Device } from '#sdk/device.ts';
import { aFakeGateway } from '#test/fakeGateway.ts';

const at = aFakeGateway();
const { aDevice, settle } = at;

const stateOf = (device: Device) => device.status.state;
describe('the connection', () => {
  it('is opened with the device’s id and key, and subscribes to everything for it', async () => {
    const device = await aDevice();
    expect(at.gateway.last.url).toBe('wss://mooring.example.com/mqtt');
    const [connect, subscribe] = at.gateway.last.received;
    expect(connect).toMatchObject({ type: 'connect', username: 'dev_1', keepAliveS: 60 });
    expect(connect?.type === 'connect' && new TextDecoder().decode(connect.password)).toBe('secret');
    expect(subscribe?.type === 'subscribe' && subscribe.subscriptions.map(({ filter }) => filter)).toEqual(
      expect.arrayContaining(['d/dev_1/commands/+', 'd/dev_1/log/wanted', 'd/dev_1/state/rejected']),
    );
    expect(stateOf(device)).toBe('connected');
  });

  it('is retried after it breaks, later each time, but at least every minute', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    at.gateway.isAway = true;
    await aDevice();
    const attempts: number[] = [];
    for (let s = 0; s < 400; s++) {
      const before = at.gateway.sockets.length;
      await settle(1000);
      if (at.gateway.sockets.length > before) attempts.push(s);
    }
    const pauses = attempts.map((second, i) => second - (attempts[i - 1] ?? -1));
    expect(pauses.slice(0, 7)).toEqual([2, 4, 8, 16, 32, 60, 60]);
  });

  it('without a keep-alive sends no pings, and stays open', async () => {
    const device = await aDevice({ keepAliveS: 0 });
    await settle(3600_000);
    expect(at.gateway.last.received.map(({ type }) => type)).toEqual(['connect', 'subscribe']);
    expect(stateOf(device)).toBe('connected');
  });

  it('of devices that were cut off together is retried at different times', async () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.1).mockReturnValueOnce(0.9);
    const devices = [await aDevice(), await aDevice({ deviceId: 'dev_2' })];
    for (const socket of at.gateway.sockets) socket.cut();
    await settle();
    const retries = devices.map(({ status }) => status.state === 'waiting' && status.retryAt.getTime());
    expect(retries[0]).not.toBe(retries[1]);
  });

  it('with a wrong key is retried rarely, and reports the reason', async () => {
    at.gateway.code = 4;
    const device = await aDevice();
    expect(device.status).toMatchObject({ state: 'waiting', reason: 'WRONG_KEY' });
    expect(device.status.state === 'waiting' && device.status.text).toContain('key is wrong');
    await settle(3600_000);
    expect(at.gateway.sockets.length).toBeGreaterThan(5);
    expect(at.gateway.sockets.length).toBeLessThan(25);
  });

  it('that was taken over is not taken back at once', async () => {
    const device = await aDevice();
    at.gateway.last.cut(disconnectReasons.TAKEN_OVER);
    await settle(10_000);
    expect(device.status).toMatchObject({ state: 'waiting', reason: 'TAKEN_OVER' });
    expect(at.gateway.sockets).toHaveLength(1);
  });

  it('that keeps breaking is not retried faster because it was open for a moment', async () => {
    await aDevice();
    for (let s = 0; s < 300; s++) {
      if (!at.gateway.last.isClosed) at.gateway.last.cut();
      await settle(1000);
    }
    expect(at.gateway.sockets.length).toBeLessThan(40);
  });

  it('that is silently dead is detected', async () => {
    const device = await aDevice();
    await settle(120_000);
    expect(stateOf(device)).toBe('connected');
    at.gateway.isSilent = true;
    await settle(60_000);
    expect(device.status).toMatchObject({ state: 'waiting', reason: 'LOST' });
  });

  it('on which a large message arrives bit by bit stays open', async () => {
    const device = await aDevice();
    const configs: unknown[] = [];
    device.onConfig(config => configs.push(config));
    const payload = new TextEncoder().encode(JSON.stringify({ text: 'x'.repeat(90) }));
    const topic = 'd/dev_1/config';
    const bytes = encodePacket({ type: 'publish', topic, payload, qos: 0, retain: true, dup: false });
    at.gateway.isSilent = true;
    for (let from = 0; from < bytes.length; from += 10) {
      await settle(25_000);
      at.gateway.last.sayRaw(...bytes.subarray(from, from + 10));
    }
    expect([stateOf(device), at.gateway.sockets.length, configs.length]).toEqual(['connected', 1, 1]);
  });

  it('to a gateway that does not answer is given up after ten seconds', async () => {
    at.gateway.isSilent = true;
    const device = await aDevice();
    await settle(9_000);
    expect(stateOf(device)).toBe('connecting');
    await settle(1_000);
    expect(device.status).toMatchObject({ state: 'waiting', reason: 'NO_ANSWER' });
  });

  it('ends when it receives something other than MQTT', async () => {
    const device = await aDevice();
    at.gateway.last.sayRaw(0xff, 0xff);
    await settle();
    expect(device.status).toMatchObject({ state: 'waiting', reason: 'PROTOCOL_ERROR' });
  });

  it('disconnects and reconnects on request', async () => {
    const device = await aDevice();
    device.disconnect();
    expect(at.gateway.last.received.at(-1)).toEqual({ type: 'disconnect' });
    await settle(600_000);
    expect(stateOf(device)).toBe('offline');
    device.connect();
    await settle();
    expect(stateOf(device)).toBe('connected');
    device.disconnect({ abruptly: true });
    expect(at.gateway.last.received.at(-1)?.type).toBe('subscribe');
    device.close();
    device.connect();
    await settle(60_000);
    expect([stateOf(device), at.gateway.sockets.length]).toEqual(['closed', 2]);
  });

  it('that is closed as soon as it opens loses no waiting message', async () => {
    const device = await aDevice();
    device.disconnect();
    const kept = device.sendEvent('door');
    const stop = device.onStatus(({ state }) => state === 'connected' && device.disconnect());
    device.connect();
    await settle();
    expect(stateOf(device)).toBe('offline');
    stop();
    device.connect();
    await settle();
    await kept;
    expect(device.waiting).toBe(0);
  });

  it('shows every packet and never the key', async () => {
    const seen: string[] = [];
    const device = await aDevice();
    device.disconnect();
    device.onWire(({ way, packet }) => seen.push(`${way} ${packet.type}`));
    const packets: unknown[] = [];
    device.onWire(({ packet }) => packets.push(packet));
    device.connect();
    await settle();
    expect(seen).toEqual(['up connect', 'down connack', 'up subscribe', 'down suback']);
    expect(packets[0]).not.toHaveProperty('password');
  });
});
