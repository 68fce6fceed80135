import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PacketFault } from './mqttFault.ts';
import { PacketReader } from './mqttReader.ts';

const bytesMax = 128 * 1024;
const mqtt = '00 04 4d 51 54 54';

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

/** The fault of the received bytes; undefined if there is none. */
function faultOf(bytes: Uint8Array, max = bytesMax): string | undefined {
  const reader = new PacketReader(max);
  try {
    reader.push(bytes);
    while (reader.next());
    return undefined;
  } catch (error) {
    if (error instanceof PacketFault) return error.kind;
    throw error;
  }
}

describe('an invalid packet', () => {
  it.each([
    ['a type that is reserved: 0', '00 00'],
    ['a type that is reserved: 15', 'f0 00'],
    ['CONNECT with reserved flags', '11 00'],
    ['SUBSCRIBE without its reserved flag', '80 08 00 01 00 03 61 2f 62 00'],
    ['UNSUBSCRIBE without its reserved flag', 'a0 07 00 01 00 03 61 2f 62'],
    ['PUBREL without its reserved flag', '60 02 00 01'],
    ['PUBACK with a reserved flag', '41 02 00 01'],
    ['PINGREQ with a reserved flag', 'c2 00'],
    ['a length of five bytes', 'd0 80 80 80 80 00'],
    ['PUBLISH at quality of service 3', '36 05 00 01 61 00 01'],
    ['PUBLISH at quality of service 0 that says it is a repetition', '38 03 00 01 61'],
    ['PUBLISH at quality of service 1 with identifier 0', '32 05 00 01 61 00 00'],
    ['PUBLISH at quality of service 1 without an identifier', '32 03 00 01 61'],
    ['PUBLISH whose topic goes past its end', '30 03 00 09 61'],
    ['PUBLISH whose topic is no UTF-8', '30 04 00 02 c3 28'],
    ['PUBLISH whose topic is half a surrogate pair', '30 05 00 03 ed a0 80'],
    ['PUBLISH whose topic is written too long', '30 04 00 02 c0 af'],
    ['PUBLISH whose topic has NUL', '30 05 00 03 61 00 62'],
    ['PUBACK of nothing', '40 00'],
    ['PUBACK with identifier 0', '40 02 00 00'],
    ['PUBACK that goes on', '40 03 00 01 00'],
    ['SUBSCRIBE to nothing', '82 02 00 01'],
    ['SUBSCRIBE with identifier 0', '82 06 00 00 00 01 61 00'],
    ['SUBSCRIBE at quality of service 3', '82 06 00 01 00 01 61 03'],
    ['SUBSCRIBE with reserved bits beside the quality of service', '82 06 00 01 00 01 61 04'],
    ['SUBSCRIBE without a quality of service', '82 05 00 01 00 01 61'],
    ['SUBSCRIBE to an empty filter', '82 05 00 01 00 00 00'],
    ['SUBSCRIBE to # before the end', '82 08 00 01 00 03 23 2f 61 00'],
    ['SUBSCRIBE to # within a level', '82 07 00 01 00 02 61 23 00'],
    ['SUBSCRIBE to + within a level', '82 07 00 01 00 02 61 2b 00'],
    ['UNSUBSCRIBE from nothing', 'a2 02 00 01'],
    ['PINGREQ with something in it', 'c0 01 00'],
    ['DISCONNECT with something in it', 'e0 01 00'],
    ['CONNACK with a reserved code', '20 02 00 06'],
    ['CONNACK with a reserved flag', '20 02 02 00'],
    ['CONNACK that refuses and has a session', '20 02 01 05'],
    ['SUBACK with a reserved code', '90 03 00 01 03'],
    ['CONNECT of nothing', '10 00'],
    ['CONNECT of another protocol', '10 0c 00 04 48 54 54 50 04 02 00 3c 00 00'],
    ['CONNECT with its reserved flag', `10 0c ${mqtt} 04 03 00 3c 00 00`],
    ['CONNECT with the quality of a will, but no will', `10 0c ${mqtt} 04 0a 00 3c 00 00`],
    ['CONNECT with a retained will, but no will', `10 0c ${mqtt} 04 22 00 3c 00 00`],
    ['CONNECT with a will at quality of service 3', `10 11 ${mqtt} 04 1e 00 3c 00 00 00 01 61 00 00`],
    ['CONNECT with a password, but no user name', `10 0f ${mqtt} 04 42 00 3c 00 00 00 01 61`],
    ['CONNECT without the password it announces', `10 0f ${mqtt} 04 c2 00 3c 00 00 00 01 61`],
    ['CONNECT that goes on', `10 0d ${mqtt} 04 02 00 3c 00 00 00`],
  ])('%s', (_, hex) => expect(faultOf(bytesOf(hex))).toBe('MALFORMED'));

  it.each([
    ['under a name with +', '30 05 00 03 61 2f 2b'],
    ['under a name with #', '30 03 00 01 23'],
    ['under no name', '30 02 00 00'],
  ])('PUBLISH %s', (_, hex) => expect(faultOf(bytesOf(hex))).toBe('TOPIC'));

  it.each([
    ['3.1', '10 0e 00 06 4d 51 49 73 64 70 03 02 00 3c 00 00'],
    ['5', `10 0d ${mqtt} 05 02 00 3c 00 00 00`],
    ['of tomorrow', `10 0c ${mqtt} 84 02 00 3c 00 00`],
  ])('CONNECT of version %s', (_, hex) => expect(faultOf(bytesOf(hex))).toBe('UNACCEPTABLE_VERSION'));

  it('that is too large is refused based on its header', () => {
    expect(faultOf(bytesOf('30 ff ff ff 7f'))).toBe('TOO_LARGE');
    const header = bytesOf('30 80 80 08');
    expect(faultOf(header)).toBe('TOO_LARGE');
    expect(faultOf(header, 128 * 1024 + 4)).toBeUndefined();
  });

  it('of any other kind only causes a fault, and needs no more memory than its own size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const fault = faultOf(bytes, 1024);
        expect([undefined, 'MALFORMED', 'TOO_LARGE', 'TOPIC', 'UNACCEPTABLE_VERSION']).toContain(fault);
      }),
      { numRuns: 5000 },
    );
  });
});

it('a packet that arrives byte by byte is not copied for each byte', () => {
  const reader = new PacketReader(bytesMax);
  const bytes = Buffer.concat([bytesOf('30 fc ff 07'), Buffer.alloc(128 * 1024 - 4, 'x')]);
  bytes.set([0, 1, 97], 4);
  const copied: Uint8Array[] = [];
  const set = Uint8Array.prototype.set;
  Uint8Array.prototype.set = function (...given) {
    copied.push(given[0] as Uint8Array);
    return set.apply(this, given);
  };
  try {
    for (const byte of bytes) reader.push(Uint8Array.of(byte));
  } finally {
    Uint8Array.prototype.set = set;
  }
  expect(reader.next()).toMatchObject({ type: 'publish', topic: 'a' });
  expect(copied.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(4 * bytes.length);
});

it('no buffer is kept once everything is read', () => {
  const reader = new PacketReader(bytesMax);
  reader.push(bytesOf('c0 00 e0 00'));
  expect([reader.next(), reader.next(), reader.next()]).toEqual([
    { type: 'pingreq' },
    { type: 'disconnect' },
    undefined,
  ]);
  expect(reader.unread).toBe(0);
});
