import { createHash, randomInt } from 'node:crypto';
import { claimCodeLength, deviceKeyLength } from '#contract/device.ts';
import type { Sealing } from '#server/sealing.ts';

/** spec §9: the charset of random keys. */
const keySigns = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Nobody who reads a label aloud is to wonder whether it is an O or a zero, an I, an L or a one. */
const claimSigns = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** How a key is kept. */
export interface KeptKey {
  hash: Buffer;
  sealed: Buffer;
  /** Its last four characters. */
  end: string;
}

export const makeDeviceKey = () => randomText(keySigns, deviceKeyLength);
export const makeClaimCode = () => randomText(claimSigns, claimCodeLength);

/** SHA-256 is enough for what nobody can guess: 62 to the power of 32 keys. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function keepKey(sealing: Sealing, key: string): KeptKey {
  return { hash: hashKey(key), sealed: sealing.seal(key), end: key.slice(-4) };
}

/** Every sign is as likely as any other. */
function randomText(signs: string, length: number): string {
  return Array.from({ length }, () => signs.charAt(randomInt(signs.length))).join('');
}
