import { insertPairs } from '#server/classes/keyValues/kv.ts';
import { channelKept } from '#server/devices/devices/device.ts';
import { insertDevices } from '#server/devices/devices/insertDevices.ts';
import { makeClaimCode, makeDeviceKey, storableKey } from '#server/devices/keys/keys.ts';
import { retarget } from '#server/firmware/targets/retarget.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { timeOfId } from '#server/infra/ids.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { ImportedDevice } from './importShape.ts';

interface Place {
  projectId: string;
  deviceClass: string;
}

/**
 * Locks the project, so that its key storage setting cannot change meanwhile, and the class, so that it cannot
 * be deleted. Undefined: one of them does not exist.
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

/** The channels and bundles that devices of a class can name, locked against being deleted or changed. */
export async function firmwareNames(
  db: Db,
  { projectId, deviceClass }: Place,
): Promise<{ channels: Set<string>; bundles: Set<string> }> {
  const ofClass = sql`project_id = ${projectId} and device_class = ${deviceClass}`;
  const channels = await db.many<{ name: string }>(sql`
    select name from channels where ${ofClass} order by name for share`);
  const bundles = await db.many<{ id: string }>(sql`
    select id from bundles where ${ofClass} order by id for key share`);
  return {
    channels: new Set(channels.map(({ name }) => name)),
    bundles: new Set(bundles.map(({ id }) => id)),
  };
}

/** Creates many devices with their presence, key-value pairs and firmware targets, in a few statements. */
export async function insertImported(
  db: Db,
  { newId, sealing }: Pick<Platform, 'newId' | 'sealing'>,
  { projectId, deviceClass, forgetsKeys, now }: Place & { forgetsKeys: boolean; now: Date },
  devices: readonly ImportedDevice[],
): Promise<void> {
  const rows = devices.map(device => {
    const key = storableKey(sealing, device.apiKey ?? makeDeviceKey());
    const { id = newId('dev', now), claimCode: code = makeClaimCode() } = device;
    return {
      id,
      deviceClass,
      claimCode: code,
      tag: device.tag ?? '',
      name: device.name ?? '',
      description: device.description ?? '',
      channel: channelKept(device.channel ?? ''),
      bundleInstalled: device.bundleInstalled,
      suspended: device.suspended ?? false,
      key: { ...key, sealed: forgetsKeys ? null : key.sealed },
      // A list by creation time is sorted by id, so the creation time of a device must match its id.
      createdAt: new Date(timeOfId('dev', id) ?? now),
      importedAt: device.id === undefined ? undefined : now,
      kv: device.kv ?? {},
    };
  });
  await insertDevices(db, projectId, rows);
  await retarget(db, { projectId, deviceIds: rows.map(({ id }) => id) }, now);
  const pairs = rows.flatMap(({ id, kv }) =>
    Object.entries(kv).map(([key, value]) => ({ ownerId: id, key, value })),
  );
  await insertPairs(db, { of: 'device', projectId }, pairs, now);
}
