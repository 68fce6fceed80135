import type { Device } from '#contract/device.ts';
import { kvPairsMax } from '#contract/deviceClass.ts';
import type { ConfigPair } from '#contract/deviceState.ts';
import { type KvRow, toPair } from '#server/classes/keyValues/kv.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** The config of a device by key: the pairs of its class, overridden by its own. */
export async function configOf(
  db: Db,
  { projectId, id, deviceClass }: Pick<Device, 'projectId' | 'id' | 'deviceClass'>,
): Promise<ConfigPair[]> {
  const rows = await db.many<KvRow & { from: ConfigPair['from'] }>(sql`
    select distinct on (key) key, value, "updatedAt", revision, "from" from (
      select key, value, updated_at as "updatedAt", revision, 'device' as "from", 0 as rank from device_kv
      where project_id = ${projectId} and device_id = ${id}
      union all
      select key, value, updated_at, revision, 'class', 1 from device_class_kv
      where project_id = ${projectId} and device_class = ${deviceClass}) pairs
    order by key, rank limit ${2 * kvPairsMax}`);
  return rows.map(({ from, ...row }) => ({ ...toPair(row), from }));
}
