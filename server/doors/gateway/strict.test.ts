import { describe, expect, it } from 'vitest';
import { encodePacket, type Packet } from '#mqtt/mqttPacket.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import {
  connectPacket,
  type Identity,
  type MqttDevice,
  type RawDevice,
  rawDevice,
} from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

async function connected(device: Identity): Promise<RawDevice> {
  const raw = await rawDevice(at.url);
  raw.send(connectPacket(device));
  await raw.next('connack');
  return raw;
}

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const publish = (topic: string, more: object = {}) =>
  encodePacket({
    type: 'publish',
    topic,
    payload: Buffer.from('{}'),
    qos: 0,
    retain: false,
    dup: false,
    ...more,
  } as Packet);

describe('an invalid packet ends its own connection only', () => {
  const connect = (device: Identity) => encodePacket(connectPacket(device));

  it.each<[string, (device: Identity) => Uint8Array, string]>([
    ['a second CONNECT', connect, 'PROTOCOL_ERROR'],
    ['a CONNECT of another version', () => hex('100d00044d5154540502003c000000'), 'PROTOCOL_ERROR'],
    ['CONNACK', () => hex('20020000'), 'PROTOCOL_ERROR'],
    ['SUBACK', () => hex('9003000100'), 'PROTOCOL_ERROR'],
    ['PINGRESP', () => hex('d000'), 'PROTOCOL_ERROR'],
    ['PUBREC', () => hex('50020001'), 'PROTOCOL_ERROR'],
    ['a reserved type', () => hex('f000'), 'PROTOCOL_ERROR'],
    ['PUBLISH at quality of service 3', () => hex('3605000161 0001'), 'PROTOCOL_ERROR'],
    ['a length of five bytes', () => hex('c080808080 00'), 'PROTOCOL_ERROR'],
    ['a claim of 256 MB', () => hex('30ffffff7f'), 'TOO_LARGE'],
    [
      'a message of 129 KB',
      ({ id }) => publish(`d/${id}/events/a`, { payload: Buffer.alloc(129 * 1024) }),
      'TOO_LARGE',
    ],
    ['a topic with +', () => hex('300500 03612f2b'), 'TOPIC_FORBIDDEN'],
    ['a topic with #', () => hex('3003000123'), 'TOPIC_FORBIDDEN'],
    ['no topic', () => hex('30020000'), 'TOPIC_FORBIDDEN'],
    ['a topic of the broker', () => publish('$SYS/broker'), 'TOPIC_FORBIDDEN'],
    ['the topic of another device', () => publish('d/dev_other/events/door'), 'TOPIC_FORBIDDEN'],
    ['a topic of 200 levels', () => publish('a/'.repeat(200)), 'TOPIC_FORBIDDEN'],
    ['a topic of 64 KB', () => publish('a'.repeat(65_535)), 'TOPIC_FORBIDDEN'],
    ['a filter with # in its middle', () => hex('820c 0001 0007 642f232f612f62 00'), 'PROTOCOL_ERROR'],
    ['bytes at random', () => hex('ffffffffffffffffffff'), 'PROTOCOL_ERROR'],
  ])('%s', async (_, bytesOf, reason) => {
    const [device, other] = [await at.device(), await at.device()];
    await using bystander = await at.connect(other);
    await using raw = await connected(device);
    raw.send(bytesOf(device));
    await raw.ended();
    expect((await at.untilIs(device, 'disconnected')).connection.reason).toBe(reason);
    await at.untilLogged(device, 'Disconnected: ');
    await bystander.say('events/still', {});
  });

  it('before authentication: anything but a CONNECT, and a CONNECT of more than 8 KiB', async () => {
    const device = await at.device();
    const large = connectPacket(device, {
      will: { topic: 't', payload: Buffer.alloc(9_000), qos: 0, retain: false },
    });
    for (const bytes of [
      hex('c000'),
      publish('a'),
      encodePacket(large),
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    ]) {
      await using raw = await rawDevice(at.url);
      raw.send(bytes);
      await raw.ended();
      expect(raw.heard).toEqual([]);
    }
    expect((await at.read(device)).connectionStatus).toBe('never');
  });

  it('in a thousand mutated sessions', async () => {
    const [device, other] = [await at.device(), await at.device()];
    await using bystander: MqttDevice = await at.connect(other);
    const sane = Buffer.concat([
      encodePacket(connectPacket(device)),
      publish(`d/${device.id}/state`),
      encodePacket({
        type: 'subscribe',
        packetId: 2,
        subscriptions: [{ filter: `d/${device.id}/#`, qos: 1 }],
      }),
      encodePacket({ type: 'pingreq' }),
    ]);
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let i = 0; i < 1_000; i += 50) {
      const all = Array.from({ length: 50 }, async () => {
        const bytes = Buffer.from(sane);
        for (let n = 0; n <= random(4); n++) bytes[random(bytes.length)] = random(256);
        const raw = await rawDevice(at.url);
        raw.send(bytes.subarray(0, random(bytes.length)));
        raw.socket.end();
        await raw.ended();
      });
      await Promise.all(all);
    }
    await bystander.say('events/still', {});
    // By chance, one of the mutated sessions may have connected.
    await until(async () => (await at.read(device)).connectionStatus !== 'connected' || undefined);
    expect(process.memoryUsage().heapUsed).toBeLessThan(1024 ** 3);
  });
});

describe('a will', () => {
  it('is published as the device’s last message when its connection breaks', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    const will = {
      topic: `d/${device.id}/events/gone`,
      payload: Buffer.from('"bye"'),
      qos: 2 as const,
      retain: true,
    };
    raw.send(connectPacket(device, { will }));
    await raw.next('connack');
    raw.socket.destroy();
    const events = await until(async () => {
      const found = await at.eventsOf(device);
      return found.length > 0 ? found : undefined;
    });
    expect(events).toMatchObject([{ name: 'gone', payload: 'bye' }]);
  });

  it('is discarded when the device disconnects properly', async () => {
    const device = await at.device();
    await using raw = await rawDevice(at.url);
    const will = {
      topic: `d/${device.id}/events/gone`,
      payload: Buffer.from('"bye"'),
      qos: 0 as const,
      retain: false,
    };
    raw.send(connectPacket(device, { will }));
    await raw.next('connack');
    raw.send({ type: 'disconnect' });
    await at.untilLogged(device, 'Disconnected: The device disconnected.');
    expect(await at.eventsOf(device)).toEqual([]);
  });
});
