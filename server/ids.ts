import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Of the last id: its millisecond, and its place in it. */
const last = { ms: -1, place: 0 };
const placeMax = 0xfff;

/**
 * A TypeID: prefix and UUIDv7 in base 32, so that ids sort by the time they were made (`prj_01k9x…`); within a
 * millisecond by the order they were made in, as RFC 9562 proposes (6.2, method 1).
 */
export function newId(prefix: string, nowMs: number): string {
  const bytes = random16();
  const random = bytes.readUInt16BE(6) & (placeMax >> 1);
  last.place = nowMs === last.ms ? Math.min(last.place + 1, placeMax) : random;
  last.ms = nowMs;
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.place, 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `${prefix}_${base32(BigInt(`0x${bytes.toString('hex')}`))}`;
}

const idBytes = 16;
/** Random bytes for the next ids: asking for each of them alone would cost as much as all the rest of it. */
const pool = { bytes: Buffer.alloc(256 * idBytes), at: Number.POSITIVE_INFINITY };

function random16(): Buffer {
  if (pool.at + idBytes > pool.bytes.length) {
    randomFillSync(pool.bytes);
    pool.at = 0;
  }
  pool.at += idBytes;
  return pool.bytes.subarray(pool.at - idBytes, pool.at);
}

/** How far the clock may be ahead that made an id. */
const clocksApartMs = 5 * 60_000;

/** Whether an id says that it was made at a time to come. It would stand before all others for so long. */
export function isOfFuture(prefix: string, id: string, now: Date): boolean {
  return (timeOfId(prefix, id) ?? 0) > now.getTime() + clocksApartMs;
}

/** When an id was made; undefined if it is none of ours. Its first ten digits are the milliseconds. */
export function timeOfId(prefix: string, id: string): number | undefined {
  const digits = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
  if (!/^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(digits)) return undefined;
  return [...digits.slice(0, 10)].reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0);
}

function base32(value: bigint): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = alphabet.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}
