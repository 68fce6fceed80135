import { createHash, randomInt } from 'node:crypto';
import { claimCodeLength, deviceKeyLength } from '#contract/device.ts';
import type { Sealing } from '#server/infra/sealing.ts';

/** The charset of random keys: letters and digits. */
const keySigns = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/**
 * Claim codes omit characters that are easily confused, because people read them aloud: O and 0, I, L and 1.
 */
const claimSigns = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** Hashes a key for storage. */
export interface StorableKey {
  hash: Buffer;
  sealed: Buffer;
  /** The last four characters of a key. */
  end: string;
}

export const makeDeviceKey = () => randomText(keySigns, deviceKeyLength);
export const makeClaimCode = () => randomText(claimSigns, claimCodeLength);

/** SHA-256 is sufficient for unguessable keys: 62 to the power of 32. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function storableKey(sealing: Sealing, key: string): StorableKey {
  return { hash: hashKey(key), sealed: sealing.seal(key), end: key.slice(-4) };
}

/** Rejection sampling, so that every character is equally likely. */
function randomText(signs: string, length: number): string {
  return Array.from({ length }, () => signs.charAt(randomInt(signs.length))).join('');
}
