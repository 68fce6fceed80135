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

/** Which key it is, and until when it holds; the current one until it is changed. */
export type KeyMatch = { which: 'current' } | { which: 'previous' | 'temporary'; until: Date };

/** Whether a key opens the door for a device. How long it takes tells nothing about the key that would. */
export function matchKey(
  platform: Pick<Platform, 'sealing' | 'clock'>,
  device: KeyRow & { id: string },
  given: string,
): KeyMatch | undefined {
  if (isTemporary(given)) {
    const key = verifyTemporaryKey(platform, given);
    return key?.deviceId === device.id ? { which: 'temporary', until: key.expiresAt } : undefined;
  }
  return matchHash(device, hashKey(given), platform.clock());
}

/** The same of a key that was hashed when it came in: what is held of an open connection is no readable key. */
export function matchHash(device: KeyRow, given: Buffer, now: Date): KeyMatch | undefined {
  const { keyHash, previousKeyHash, previousKeyUntil } = device;
  if (isSame(given, keyHash)) return { which: 'current' };
  if (!previousKeyHash || !previousKeyUntil || previousKeyUntil <= now) return undefined;
  return isSame(given, previousKeyHash) ? { which: 'previous', until: previousKeyUntil } : undefined;
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
