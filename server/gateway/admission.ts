import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { hashKey } from '#server/devices/keys.ts';
import { type KeyRow, keyColumns, matchHash } from '#server/devices/matchKey.ts';
import { isTemporary, verifyTemporaryKey } from '#server/devices/temporaryKey.ts';
import type { Platform } from '#server/platform.ts';

/** What a connection was let in with: an API key, or a temporary key and until when that holds. */
export type Credential = { keyHash: Buffer } | { until: Date };

/** What decides whether a device may be connected. */
export interface Admission extends KeyRow {
  id: string;
  projectId: string;
  deviceClass: string;
  /** What people call it. */
  displayName: string;
  suspended: boolean;
  /** Messages a second that it may send. */
  messageRate: number;
}

/** Of `devices d` and its project `p`. */
export const admissionColumns = sql`
  d.id, d.project_id as "projectId", d.device_class as "deviceClass",
  coalesce(nullif(d.name, ''), nullif(d.tag, ''), d.id) as "displayName", d.suspended,
  p.device_message_rate as "messageRate", ${keyColumns}`;

/** Devices that are there; those of a deleted project are not. */
export async function admissionsOf(db: Db, ids: string[]): Promise<Map<string, Admission>> {
  const rows = await db.many<Admission>(sql`
    select ${admissionColumns} from devices d join projects p on p.id = d.project_id and p.deleted_at is null
    where d.id = any(${ids})`);
  return new Map(rows.map(row => [row.id, row]));
}

/** Undefined: a temporary key that is none of ours, or holds no longer. */
export function credentialOf(
  platform: Pick<Platform, 'sealing' | 'clock'>,
  deviceId: string,
  key: string,
): Credential | undefined {
  if (!isTemporary(key)) return { keyHash: hashKey(key) };
  const temporary = verifyTemporaryKey(platform, key);
  return temporary?.deviceId === deviceId ? { until: temporary.expiresAt } : undefined;
}

/** Why the device may not be connected, or be so any longer. Who has no key of it learns nothing else about it. */
export function refusalOf(
  device: Admission | undefined,
  credential: Credential,
  now: Date,
): Extract<DisconnectReason, 'DELETED' | 'KEY_CHANGED' | 'KEY_EXPIRED' | 'SUSPENDED'> | undefined {
  if (!device) return 'DELETED';
  if ('until' in credential && credential.until <= now) return 'KEY_EXPIRED';
  if ('keyHash' in credential && !matchHash(device, credential.keyHash, now)) return 'KEY_CHANGED';
  return device.suspended ? 'SUSPENDED' : undefined;
}
