import { createHash, randomInt } from 'node:crypto';
import { claimCodeCharacters, claimCodeLength } from '#rules/devices/claimCode.ts';
import { deviceKeyCharacters, deviceKeyLength } from '#rules/devices/deviceKey.ts';
import type { Sealing } from '#server/infra/sealing.ts';

/** Hashes a key for storage. */
export interface StorableKey {
  hash: Buffer;
  sealed: Buffer;
  /** The last four characters of a key. */
  end: string;
}

export const makeDeviceKey = () => randomText(deviceKeyCharacters, deviceKeyLength);
export const makeClaimCode = () => randomText(claimCodeCharacters, claimCodeLength);

/** SHA-256 is sufficient for unguessable keys: 62 to the power of 32. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function storableKey(sealing: Sealing, key: string): StorableKey {
  return { hash: hashKey(key), sealed: sealing.seal(key), end: key.slice(-4) };
}

/** Rejection sampling, so that every character is equally likely. */
function randomText(characters: string, length: number): string {
  return Array.from({ length }, () => characters.charAt(randomInt(characters.length))).join('');
}
