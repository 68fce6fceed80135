import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, type RawDevice, rawDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { PreAuthConnections } from './preAuthConnections.ts';

const at = aGatewayWorld({ RATE_LIMITS: 'on' });

describe('connections without a CONNECT', () => {
  it('are limited per network and in total', () => {
    const preAuthConnections = new PreAuthConnections({ rateLimits: true });
    const leave = Array.from({ length: 500 }, () => preAuthConnections.enter('10.0.0.1'));
    expect([preAuthConnections.hasRoom('10.0.0.1'), preAuthConnections.hasRoom('10.0.0.2')]).toEqual([
      false,
      true,
    ]);
    leave[0]?.();
    leave[0]?.();
    expect([preAuthConnections.hasRoom('10.0.0.1'), preAuthConnections.size]).toEqual([true, 499]);
    for (let i = preAuthConnections.size; i < 5_000; i++) preAuthConnections.enter(`10.1.${i % 200}.1`);
    expect(preAuthConnections.hasRoom('10.2.0.1')).toBe(false);
  });

  it('are only limited in total if rate limits are off', () => {
    const preAuthConnections = new PreAuthConnections({ rateLimits: false });
    for (let i = 0; i < 4_999; i++) preAuthConnections.enter('10.0.0.1');
    expect(preAuthConnections.hasRoom('10.0.0.1')).toBe(true);
    preAuthConnections.enter('10.0.0.1');
    expect(preAuthConnections.hasRoom('10.0.0.1')).toBe(false);
  });

  it('are closed at once beyond the limit, and earlier ones can still authenticate', async () => {
    const device = await at.device();
    const all: RawDevice[] = [];
    for (let i = 0; i < 500; i += 50)
      all.push(...(await Promise.all(Array.from({ length: 50 }, () => rawDevice(at.url)))));
    await using late = await rawDevice(at.url);
    await late.ended();
    const webSocket = new WebSocket(`${at.world.url.replace('http', 'ws')}/mqtt`, ['mqtt']);
    webSocket.on('error', () => undefined);
    const status = await new Promise(resolve =>
      webSocket.once('unexpected-response', (_, answer) => resolve(answer.statusCode)),
    );
    expect(status).toBe(429);
    const [first, ...others] = all;
    first?.send(connectPacket(device));
    expect(await first?.next('connack')).toMatchObject({ code: 0 });
    for (const one of others) one.socket.destroy();
    await using after = await until(() => at.connect(device).catch(() => undefined));
    await after.say('events/here', {});
    first?.socket.destroy();
  });
});
