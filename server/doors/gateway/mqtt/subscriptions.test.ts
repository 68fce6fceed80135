import { describe, expect, it, vi } from 'vitest';
import { subscriptionsMax } from '#rules/devices/gatewayLimits.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, rawDevice } from '#test/mqttDevice.ts';
import { Subscriptions } from './subscriptions.ts';

const at = aGatewayWorld();
const id = 'dev_01k9x3m2h4e6d8b0a2c4e6g8j0';

describe('a subscription', () => {
  it.each([
    ['commands/+', 1],
    ['#', 1],
    ['+/+/+', 1],
    [`commands/${'x'.repeat(100)}`, 1],
    ['+/'.repeat(20), 128],
    [`commands/${'x'.repeat(300)}`, 128],
    ['a/'.repeat(32_000), 128],
    ['#/commands', 128],
  ] as const)('to %.20s is granted as %i', (filter, granted) => {
    expect(new Subscriptions(id).add(`d/${id}/${filter}`, 1)).toBe(granted);
  });

  it('is not split again for every message', () => {
    const subscriptions = new Subscriptions(id);
    for (let i = 0; i < subscriptionsMax; i++) subscriptions.add(`d/${id}/commands/c${i}`, 0);
    const split = vi.spyOn(String.prototype, 'split');
    expect(subscriptions.hears('commands/c7')).toBe(0);
    const calls = split.mock.calls.length;
    split.mockRestore();
    expect(calls).toBe(1);
  });

  it('that is longer than any topic is rejected, and the device’s log says so', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    raw.send(connectPacket(device));
    await raw.next('connack');
    const filters = [`d/${device.id}/${'a/'.repeat(32_000)}`, `d/${device.id}/commands/+`];
    for (const [i, filter] of filters.entries())
      raw.send({ type: 'subscribe', packetId: i + 1, subscriptions: [{ filter, qos: 0 }] });
    expect(await raw.next('suback')).toMatchObject({ packetId: 1, granted: [128] });
    expect(await raw.next('suback')).toMatchObject({ packetId: 2, granted: [0] });
    const { text } = await at.untilLogged(device, `Subscription rejected: d/${device.id}/a/a/`);
    expect(text.length).toBeLessThan(300);
  });
});
