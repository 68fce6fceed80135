import { timingSafeEqual } from 'node:crypto';
import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** What a connection was let in with. */
export interface Credential {
  /** Of the API key. */
  keyHash: Buffer;
  /** Only of a temporary key: when it stops to count. */
  until?: Date;
}

/** What decides whether a device may be connected. */
export interface Admission {
  id: string;
  projectId: string;
  deviceClass: string;
  /** What people call it: its name, else its tag. */
  displayName: string;
  suspended: boolean;
  keyHash: Buffer;
  previousKeyHash: Buffer | null;
  previousKeyUntil: Date | null;
}

const columns = sql`
  d.id, d.project_id as "projectId", d.device_class as "deviceClass",
  coalesce(nullif(d.name, ''), nullif(d.tag, ''), d.id) as "displayName", d.suspended, d.key_hash as "keyHash",
  d.previous_key_hash as "previousKeyHash", d.previous_key_until as "previousKeyUntil"`;

/** Devices that are there; those of a deleted project are not. */
export async function admissionsOf(db: Db, ids: string[]): Promise<Map<string, Admission>> {
  const rows = await db.many<Admission>(sql`
    select ${columns} from devices d join projects p on p.id = d.project_id and p.deleted_at is null
    where d.id = any(${ids})`);
  return new Map(rows.map(row => [row.id, row]));
}

/** Why the device may not be connected, or be any longer. Of a wrong key nothing else is told. */
export function refusalOf(
  device: Admission | undefined,
  credential: Credential,
  now: Date,
): Extract<DisconnectReason, 'DELETED' | 'KEY_CHANGED' | 'KEY_EXPIRED' | 'SUSPENDED'> | undefined {
  if (!device) return 'DELETED';
  if (!isKeyOf(device, credential.keyHash, now)) return 'KEY_CHANGED';
  if (credential.until && credential.until <= now) return 'KEY_EXPIRED';
  return device.suspended ? 'SUSPENDED' : undefined;
}

/** The key before the present one counts for as long as it was given. */
function isKeyOf({ keyHash, previousKeyHash, previousKeyUntil }: Admission, hash: Buffer, now: Date): boolean {
  if (isSame(keyHash, hash)) return true;
  return previousKeyHash !== null && previousKeyUntil !== null && previousKeyUntil > now && isSame(previousKeyHash, hash);
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
