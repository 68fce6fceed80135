import { timingSafeEqual } from 'node:crypto';
import { sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { hashKey } from './keys.ts';
import { isTemporary, verifyTemporaryKey } from './temporaryKey.ts';

/** The stored key hashes of a device. */
export interface KeyRow {
  keyHash: Buffer;
  previousKeyHash: Buffer | null;
  previousKeyUntil: Date | null;
}

/** Columns of `devices d`. */
export const keyColumns = sql`
  d.key_hash as "keyHash", d.previous_key_hash as "previousKeyHash", d.previous_key_until as "previousKeyUntil"`;

/** The credential of a connection. It contains hashes only, because it is held as long as the connection. */
export interface Credential {
  /** Hash of the API key, or of the key that a temporary key was derived from. */
  keyHash: Buffer;
  /** Expiry of a temporary key. */
  until?: Date;
}

/** Undefined: not a temporary key issued for this device. */
export function credentialOf(
  platform: Pick<Platform, 'sealing'>,
  device: KeyRow & { id: string },
  key: string,
): Credential | undefined {
  if (!isTemporary(key)) return { keyHash: hashKey(key) };
  const hashes = [device.keyHash, ...(device.previousKeyHash ? [device.previousKeyHash] : [])];
  return verifyTemporaryKey(platform, { id: device.id, hashes }, key);
}

/** Authenticates a key against a device, in constant time. */
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
