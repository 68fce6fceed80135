import fc from 'fast-check';
import mqttPacket from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { encodePacket, type Packet } from './mqttPacket.ts';
import { PacketReader } from './mqttReader.ts';

const bytesMax = 128 * 1024;

const word = fc
  .string({ unit: 'binary', maxLength: 40 })
  .filter(text => text.isWellFormed() && !text.includes('\0'));
const topic = word.filter(text => text !== '' && !/[+#]/.test(text));
const level = fc.oneof(
  fc.constant('+'),
  topic.filter(text => !text.includes('/')),
);
const filter = fc
  .tuple(fc.array(level, { minLength: 1, maxLength: 6 }), fc.constantFrom('', '/#'))
  .map(([levels, end]) => levels.join('/') + end);
const payload = fc.uint8Array({ maxLength: 300 });
const packetId = fc.integer({ min: 1, max: 65_535 });
const qos = fc.constantFrom(0 as const, 1 as const, 2 as const);
const will = fc.record({ topic, payload, qos, retain: fc.boolean() });

const connect = fc
  .record({
    clientId: word,
    cleanSession: fc.boolean(),
    keepAliveS: fc.nat(65_535),
    login: fc.option(fc.record({ username: word, password: fc.option(payload, { nil: undefined }) }), {
      nil: undefined,
    }),
    will: fc.option(will, { nil: undefined }),
  })
  .map(
    ({ login, will, ...rest }): Packet => ({
      type: 'connect',
      ...rest,
      // Clients with an empty id must request a clean session.
      cleanSession: rest.cleanSession || rest.clientId === '',
      ...(login && { username: login.username }),
      ...(login?.password && { password: login.password }),
      ...(will && { will }),
    }),
  );

const publish = fc
  .record({ topic, payload, qos, retain: fc.boolean(), dup: fc.boolean(), packetId })
  .map(
    ({ qos, dup, packetId, ...rest }): Packet =>
      qos === 0
        ? { type: 'publish', ...rest, qos, dup: false }
        : { type: 'publish', ...rest, qos, dup, packetId },
  );

const packet: fc.Arbitrary<Packet> = fc.oneof(
  connect,
  publish,
  fc.record({
    type: fc.constant('connack' as const),
    sessionPresent: fc.constant(false),
    code: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const, 4 as const, 5 as const),
  }),
  fc.record({
    type: fc.constantFrom(
      'puback' as const,
      'pubrec' as const,
      'pubrel' as const,
      'pubcomp' as const,
      'unsuback' as const,
    ),
    packetId,
  }),
  fc.record({
    type: fc.constant('subscribe' as const),
    packetId,
    subscriptions: fc.array(fc.record({ filter, qos }), { minLength: 1, maxLength: 8 }),
  }),
  fc.record({
    type: fc.constant('suback' as const),
    packetId,
    granted: fc.array(fc.constantFrom(0 as const, 1 as const, 2 as const, 128 as const), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
  fc.record({
    type: fc.constant('unsubscribe' as const),
    packetId,
    filters: fc.array(filter, { minLength: 1, maxLength: 8 }),
  }),
  fc.record({ type: fc.constantFrom('pingreq' as const, 'pingresp' as const, 'disconnect' as const) }),
);

/** Converts a packet to the format of the package that ours is compared with. */
function inOtherWords(packet: Packet): mqttPacket.Packet {
  const { type: cmd } = packet;
  const buffer = (bytes: Uint8Array) => Buffer.from(bytes);
  switch (packet.type) {
    case 'connect': {
      const { clientId, cleanSession: clean, keepAliveS: keepalive, username, password, will } = packet;
      return {
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clientId,
        clean,
        keepalive,
        ...(username !== undefined && { username }),
        ...(password && { password: buffer(password) }),
        ...(will && { will: { ...will, payload: buffer(will.payload) } }),
      };
    }
    case 'publish': {
      const { topic, qos, retain, dup, packetId: messageId } = packet;
      const rest = { topic, qos, retain, dup, payload: buffer(packet.payload) };
      return { cmd: 'publish', ...rest, ...(messageId !== undefined && { messageId }) };
    }
    case 'connack':
      return { cmd: 'connack', sessionPresent: packet.sessionPresent, returnCode: packet.code };
    case 'subscribe': {
      const subscriptions = packet.subscriptions.map(({ filter: topic, qos }) => ({ topic, qos }));
      return { cmd: 'subscribe', messageId: packet.packetId, subscriptions };
    }
    case 'suback':
      return { cmd: 'suback', messageId: packet.packetId, granted: packet.granted };
    case 'unsubscribe':
      return { cmd: 'unsubscribe', messageId: packet.packetId, unsubscriptions: packet.filters };
    case 'pingreq':
    case 'pingresp':
    case 'disconnect':
      return { cmd } as mqttPacket.Packet;
    default:
      return { cmd, messageId: packet.packetId } as mqttPacket.Packet;
  }
}

/** What the other package reads, without the fields it adds. */
function readByOther(bytes: Uint8Array): Record<string, unknown>[] {
  const parser = mqttPacket.parser({ protocolVersion: 4 });
  const found: Record<string, unknown>[] = [];
  parser.on('packet', ({ ...packet }) => found.push(packet));
  parser.on('error', error => {
    throw error;
  });
  parser.parse(Buffer.from(bytes));
  return found;
}

function readAll(chunks: Uint8Array[]): Packet[] {
  const reader = new PacketReader(bytesMax);
  const found: Packet[] = [];
  for (const chunk of chunks) {
    // Views into a Buffer would themselves be Buffers.
    reader.push(new Uint8Array(chunk));
    for (let packet = reader.next(); packet; packet = reader.next()) found.push(packet);
  }
  expect(reader.unread).toBe(0);
  return found;
}

/** Splits bytes at the given positions. */
function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const ends = [...places.map(place => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end));
}

describe('every valid packet', () => {
  it('is read as the package mqtt-packet wrote it', () => {
    fc.assert(
      fc.property(packet, one => {
        expect(readAll([mqttPacket.generate(inOtherWords(one))])).toEqual([one]);
      }),
      { numRuns: 2000 },
    );
  });

  it('is written so that the package mqtt-packet reads it', () => {
    fc.assert(
      fc.property(packet, one => {
        const [read] = readByOther(encodePacket(one));
        expect(read).toMatchObject(inOtherWords(one) as unknown as Record<string, unknown>);
      }),
      { numRuns: 2000 },
    );
  });

  it('is found in a stream, however the stream is split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(packet, { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (all, places) => {
          const stream = Buffer.concat(all.map(one => encodePacket(one)));
          expect(readAll(cut(stream, places))).toEqual(all);
          expect(readAll([...stream].map(byte => Uint8Array.of(byte)))).toEqual(all);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps its payload when more is pushed afterwards', () => {
    const one = (text: string): Packet => ({
      type: 'publish',
      topic: 't',
      qos: 0,
      retain: false,
      dup: false,
      payload: Buffer.from(text),
    });
    const stream = Buffer.concat([one('first'), one('second'), one('third')].map(encodePacket));
    const found = readAll(cut(stream, [3, 9, 14, 15, 20]));
    expect(found.map(packet => packet.type === 'publish' && Buffer.from(packet.payload).toString())).toEqual([
      'first',
      'second',
      'third',
    ]);
  });
});

describe('an encoded packet', () => {
  it('has no field longer than its length field can express', () => {
    expect(() => encodePacket({ type: 'unsubscribe', packetId: 1, filters: ['x'.repeat(65_536)] })).toThrow(
      RangeError,
    );
  });
});
