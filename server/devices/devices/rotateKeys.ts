import { makeDeviceKey, storableKey } from '#server/devices/keys/keys.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

interface Rotating {
  projectId: string;
  deviceIds: readonly string[];
  /** Until when the replaced keys still work; undefined: they end at once. */
  until: Date | undefined;
}

/**
 * Gives each device a new key, and returns the keys by device. Locks the project's row, as for a new device, so that
 * its key storage setting cannot change meanwhile.
 */
export async function rotateKeys(
  db: Db,
  { sealing }: Pick<Platform, 'sealing'>,
  { projectId, deviceIds, until }: Rotating,
): Promise<Map<string, string>> {
  const keys = deviceIds.map(id => {
    const apiKey = makeDeviceKey();
    return { id, apiKey, ...storableKey(sealing, apiKey) };
  });
  const changed = await db.many<{ id: string }>(sql`
    with project as (
      select forget_device_keys from projects where id = ${projectId} and deleted_at is null for share)
    update devices d set key_hash = given.hash, key_end = given.key_end, revision = revision + 1,
      key_sealed = case when not project.forget_device_keys then given.sealed end,
      previous_key_hash = case when ${until !== undefined} then d.key_hash end, previous_key_until = ${until ?? null}
    from project, unnest(
      ${keys.map(({ id }) => id)}::text[], ${keys.map(({ hash }) => hash)}::bytea[],
      ${keys.map(({ end }) => end)}::text[], ${keys.map(({ sealed }) => sealed)}::bytea[])
      as given (id, hash, key_end, sealed)
    where d.project_id = ${projectId} and d.id = given.id returning d.id`);
  const ids = new Set(changed.map(({ id }) => id));
  return new Map(keys.filter(({ id }) => ids.has(id)).map(({ id, apiKey }) => [id, apiKey]));
}
