import { type Db, sql } from '#server/db/sql.ts';
import { keepKey, makeClaimCode, makeDeviceKey } from '#server/deviceKeys/keys.ts';
import { channelKept } from '#server/devices/device.ts';
import { timeOfId } from '#server/ids.ts';
import type { Platform } from '#server/platform.ts';
import type { ImportedDevice } from './importShape.ts';

interface Place {
  projectId: string;
  deviceClass: string;
}

/**
 * Holds the project, whose switch that makes it forget keys waits so long, and the class, which cannot be deleted
 * meanwhile. Undefined: one of them is not there.
 */
export function lockForDevices(
  db: Db,
  { projectId, deviceClass }: Place,
): Promise<{ forgetsKeys: boolean } | undefined> {
  return db.one<{ forgetsKeys: boolean }>(sql`
    select p.forget_device_keys as "forgetsKeys"
    from projects p join device_classes c on c.project_id = p.id and c.id = ${deviceClass}
    where p.id = ${projectId} and p.deleted_at is null for share of p for key share of c`);
}

/** Many devices with their presence and their own key-value pairs, in three statements. */
export async function insertDevices(
  db: Db,
  { newId, sealing }: Pick<Platform, 'newId' | 'sealing'>,
  { projectId, deviceClass, forgetsKeys, now }: Place & { forgetsKeys: boolean; now: Date },
  devices: readonly ImportedDevice[],
): Promise<void> {
  const rows = devices.map(device => {
    const key = keepKey(sealing, device.apiKey ?? makeDeviceKey());
    const { id = newId('dev', now), claimCode: code = makeClaimCode() } = device;
    // A list by creation time goes by ids: what a device says of it must be the same.
    return { ...device, id, code, key, createdAt: new Date(timeOfId('dev', id) ?? now) };
  });
  const column = <T>(of: (row: (typeof rows)[number]) => T) => rows.map(of);
  await db.run(sql`
    insert into devices (project_id, device_class, created_at, id, tag, name, description, channel, bundle_installed,
      claim_code, suspended, key_hash, key_sealed, key_end)
    select ${projectId}, ${deviceClass}, made.* from unnest(
      ${column(row => row.createdAt)}::timestamptz[], ${column(row => row.id)}::text[], ${column(row => row.tag ?? '')}::text[],
      ${column(row => row.name ?? '')}::text[], ${column(row => row.description ?? '')}::text[],
      ${column(row => channelKept(row.channel ?? ''))}::text[], ${column(row => row.bundleInstalled ?? null)}::text[],
      ${column(row => row.code)}::text[], ${column(row => row.suspended ?? false)}::boolean[],
      ${column(row => row.key.hash)}::bytea[], ${column(row => (forgetsKeys ? null : row.key.sealed))}::bytea[],
      ${column(row => row.key.end)}::text[]) as made`);
  await db.run(sql`
    insert into device_presence (project_id, device_class, device_id)
    select ${projectId}, ${deviceClass}, id from unnest(${column(row => row.id)}::text[]) as made (id)`);
  const pairs = rows.flatMap(({ id, kv }) =>
    Object.entries(kv ?? {}).map(([key, value]) => ({ id, key, value })),
  );
  if (pairs.length === 0) return;
  await db.run(sql`
    insert into device_kv (project_id, updated_at, device_id, key, value)
    select ${projectId}, ${now}, made.id, made.key, made.value::json from unnest(
      ${pairs.map(({ id }) => id)}::text[], ${pairs.map(({ key }) => key)}::text[],
      ${pairs.map(({ value }) => JSON.stringify(value))}::text[]) as made (id, key, value)`);
}
