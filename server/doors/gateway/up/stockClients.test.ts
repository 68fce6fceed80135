import { describe, expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { connectPacket, rawDevice } from '#test/mqttDevice.ts';

const at = aGatewayWorld();

describe('a message of a stock client', () => {
  it('is accepted, ignoring its retain flag', async () => {
    const device = await at.device();
    await using here = await at.connect(device);
    await here.say('events/door', 'kept', { qos: 1, retain: true });
    await here.say('state', { on: true }, { qos: 1, retain: true });
    expect(await at.eventsOf(device)).toMatchObject([{ payload: 'kept' }]);
    expect((await at.stateOf(device)).reported).toEqual({ on: true });
  });

  it('at QoS 2 is stored once, however often it is sent before its release', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    raw.send(connectPacket(device));
    await raw.next('connack');
    const packet = {
      type: 'publish' as const,
      topic: `d/${device.id}/events/door`,
      payload: Buffer.from('{}'),
      qos: 2 as const,
      retain: false,
      packetId: 7,
    };
    raw.send({ ...packet, dup: false }, { ...packet, dup: true });
    await raw.next('pubrec');
    raw.send({ ...packet, dup: true });
    await raw.next('pubrec');
    expect(await at.eventsOf(device)).toHaveLength(1);
    raw.send({ type: 'pubrel', packetId: 7 });
    await raw.next('pubcomp');
    raw.send({ ...packet, dup: false });
    await raw.next('pubrec');
    expect(await at.eventsOf(device)).toHaveLength(2);
  });
});
