import { timingSafeEqual } from 'node:crypto';
import { sql } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';
import { hashKey } from './keys.ts';
import { isTemporary, verifyTemporaryKey } from './temporaryKey.ts';

/** What is kept of a device's keys. */
export interface KeyRow {
  keyHash: Buffer;
  previousKeyHash: Buffer | null;
  previousKeyUntil: Date | null;
}

/** Of `devices d`. */
export const keyColumns = sql`
  d.key_hash as "keyHash", d.previous_key_hash as "previousKeyHash", d.previous_key_until as "previousKeyUntil"`;

/** What somebody comes with. It is no readable key: an open connection holds it as long as it lasts. */
export interface Credential {
  /** Of the API key, or of the one that a temporary key was made beside. */
  keyHash: Buffer;
  /** Of a temporary key. */
  until?: Date;
}

/** Undefined: a temporary key that is none of ours for this device. */
export function credentialOf(
  platform: Pick<Platform, 'sealing'>,
  device: KeyRow & { id: string },
  key: string,
): Credential | undefined {
  if (!isTemporary(key)) return { keyHash: hashKey(key) };
  const hashes = [device.keyHash, ...(device.previousKeyHash ? [device.previousKeyHash] : [])];
  return verifyTemporaryKey(platform, { id: device.id, hashes }, key);
}

/** Whether a key opens the door for a device. How long it takes tells nothing about the key that would. */
export function isKeyOf(
  { keyHash, previousKeyHash, previousKeyUntil }: KeyRow,
  given: Credential,
  now: Date,
): boolean {
  if (isSame(given.keyHash, keyHash)) return true;
  if (!previousKeyHash || !previousKeyUntil || previousKeyUntil <= now) return false;
  return isSame(given.keyHash, previousKeyHash);
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
