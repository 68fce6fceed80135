import { randomFillSync } from 'node:crypto';
import { minuteMs } from '#rules/time/durations.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const pairs = [...alphabet].flatMap(first => [...alphabet].map(second => first + second));

/**
 * The position of the last id in each of the last milliseconds. Concurrent calls each have their own time, so one is
 * not enough.
 */
const places = new Map<number, number>();
const placesMax = 1000;
const placeMax = 0xfff;

/**
 * A TypeID: prefix and UUIDv7 in base 32, so that ids sort by creation time (`prj_01k9x…`), and by creation order
 * within a millisecond, as RFC 9562 proposes (6.2, method 1).
 */
export function newId(prefix: string, nowMs: number): string {
  const bytes = random16();
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | placeIn(nowMs, bytes.readUInt16BE(6)), 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `${prefix}_${base32(bytes)}`;
}

function placeIn(ms: number, random: number): number {
  const before = places.get(ms);
  const place = before === undefined ? random & (placeMax >> 1) : Math.min(before + 1, placeMax);
  if (before === undefined && places.size >= placesMax) {
    const [oldest = ms] = places.keys();
    places.delete(oldest);
  }
  places.set(ms, place);
  return place;
}

const idBytes = 16;
/**
 * Random bytes for the next ids: requesting them for each id separately would cost as much as the rest of its creation.
 */
const pool = { bytes: Buffer.alloc(256 * idBytes), at: Number.POSITIVE_INFINITY };

function random16(): Buffer {
  if (pool.at + idBytes > pool.bytes.length) {
    randomFillSync(pool.bytes);
    pool.at = 0;
  }
  pool.at += idBytes;
  return pool.bytes.subarray(pool.at - idBytes, pool.at);
}

/** How far the clock that created an id may be ahead. */
const clocksApartMs = 5 * minuteMs;

/** Whether an id claims to have been created in the future. Until that time, it would sort before all others. */
export function isOfFuture(prefix: string, id: string, now: Date): boolean {
  return (timeOfId(prefix, id) ?? 0) > now.getTime() + clocksApartMs;
}

/** When an id was created; undefined if it is not one of ours. Its first ten digits are the milliseconds. */
export function timeOfId(prefix: string, id: string): number | undefined {
  const digits = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
  if (!/^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(digits)) return undefined;
  return [...digits.slice(0, 10)].reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0);
}

/**
 * Encodes two digits at a time: each call creates several ids, and with a `bigint` each would take ten times as long.
 */
function base32(bytes: Uint8Array): string {
  let text = '';
  let rest = 0;
  // 128 bits are 26 digits of 5 bits, with two bits to spare. These come first and are 0.
  let bits = 2;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    bits += 8;
    if (bits < 10) continue;
    bits -= 10;
    text += pairs[rest >> bits];
    rest &= (1 << bits) - 1;
  }
  return text;
}
