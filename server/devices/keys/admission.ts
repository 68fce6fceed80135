import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { type Credential, isKeyOf, type KeyRow, keyColumns } from './credential.ts';

/** The facts that decide whether a device can connect. */
export interface Admission extends KeyRow {
  id: string;
  projectId: string;
  deviceClass: string;
  displayName: string;
  suspended: boolean;
  /** Message rate limit, per second. */
  messageRate: number;
}

/** Columns of `devices d` and its project `p`. */
export const admissionColumns = sql`
  d.id, d.project_id as "projectId", d.device_class as "deviceClass",
  coalesce(nullif(d.name, ''), nullif(d.tag, ''), d.id) as "displayName", d.suspended,
  p.device_message_rate as "messageRate", ${keyColumns}`;

/** Existing devices, without those of deleted projects. */
export async function admissionsOf(db: Db, ids: string[]): Promise<Map<string, Admission>> {
  const rows = await db.many<Admission>(sql`
    select ${admissionColumns} from devices d join projects p on p.id = d.project_id and p.deleted_at is null
    where d.id = any(${ids})`);
  return new Map(rows.map(row => [row.id, row]));
}

/**
 * Why the device cannot connect, or stay connected. The key is checked first, so that a caller without one
 * learns nothing else.
 */
export function refusalOf(
  device: Admission | undefined,
  credential: Credential,
  now: Date,
): Extract<DisconnectReason, 'DELETED' | 'KEY_CHANGED' | 'KEY_EXPIRED' | 'SUSPENDED'> | undefined {
  if (!device) return 'DELETED';
  if (credential.until && credential.until <= now) return 'KEY_EXPIRED';
  if (!isKeyOf(device, credential, now)) return 'KEY_CHANGED';
  return device.suspended ? 'SUSPENDED' : undefined;
}
