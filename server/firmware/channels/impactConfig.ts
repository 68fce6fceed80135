import type { ChannelImpact } from '#contract/channel.ts';
import type { ComponentVersion } from '#contract/componentVersion.ts';
import { checkAgainst } from '#server/classes/deviceClasses/schemas.ts';
import type { Following } from '#server/firmware/targets/retarget.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { yieldsEvery } from '#server/infra/pace/yieldsEvery.ts';
import type { Version } from './impactStore.ts';

export type DeviceConfigSchema = NonNullable<ComponentVersion['deviceConfigSchema']>;

const examplesMax = 5;
/**
 * How long configs are checked before the call answers with the counts so far, and how long a check may block the
 * process at a time.
 */
const checkMs = 1_000;
const atATimeMs = 10;
const pageSize = 200;

interface Row {
  deviceId: string;
  tag: string;
  /** The device's own pairs, which override those of its class. Null: it has none. */
  own: Record<string, unknown> | null;
}

/**
 * Checks the config of each device that would get a bundle against the config schemas of its versions. Most devices
 * have no pairs of their own, so the config of their class is checked once for all of them.
 */
export async function configImpact(
  db: Db,
  followers: Following,
  versions: readonly Version[],
): Promise<ChannelImpact['config']> {
  const endMs = performance.now() + checkMs;
  const schemas = versions.flatMap(({ schema }) => schema ?? []);
  const found: ChannelImpact['config'] = { checked: 0, complete: true, violating: 0, examples: [] };
  if (schemas.length === 0) return found;
  const ofClass = await classConfig(db, followers);
  const textOf = (config: object) => schemas.flatMap(schema => checkAgainst(schema, config))[0]?.text;
  const textOfClass = textOf(ofClass);
  for (let after = ''; ; ) {
    const rows = await devicesAfter(db, followers, after);
    const yielded = yieldsEvery(atATimeMs);
    for (const { deviceId, tag, own } of rows) {
      const text = own === null ? textOfClass : textOf({ ...ofClass, ...own });
      found.checked++;
      if (text !== undefined) found.violating++;
      if (text !== undefined && found.examples.length < examplesMax)
        found.examples.push({ deviceId, tag, text });
      if (performance.now() > endMs) return { ...found, complete: false };
      await yielded();
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return found;
    after = last.deviceId;
  }
}

async function classConfig(db: Db, { projectId, deviceClass }: Following): Promise<Record<string, unknown>> {
  const row = await db.one<{ config: Record<string, unknown> | null }>(sql`
    select json_object_agg(key, value) as config from device_class_kv
    where project_id = ${projectId} and device_class = ${deviceClass}`);
  return row?.config ?? {};
}

function devicesAfter(db: Db, { projectId, deviceClass, channel }: Following, after: string): Promise<Row[]> {
  return db.many<Row>(sql`
    select d.id as "deviceId", d.tag, (
      select json_object_agg(k.key, k.value) from device_kv k
      where k.project_id = d.project_id and k.device_id = d.id) as own
    from devices d
    where d.project_id = ${projectId} and d.device_class = ${deviceClass} and d.channel = ${channel} and d.id > ${after}
      and d.bundle_pinned is null and not d.suspended
    order by d.id limit ${pageSize}`);
}
