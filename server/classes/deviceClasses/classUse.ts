import type { ClassUse, DeviceClass } from '#contract/deviceClass.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';

/** How many of each kind are listed by name. */
const namedMax = 5;

/** What prevents a class from being deleted, with the labels that a person would look for. Undefined: nothing. */
export async function classUse(
  db: Db,
  { projectId, id, deviceCount }: DeviceClass,
): Promise<ClassUse | undefined> {
  const devices = await db.many<ClassUse['devices'][number]>(sql`
    select id, tag, name from devices where project_id = ${projectId} and device_class = ${id}
    order by id limit ${namedMax}`);
  const ofClass = sql`where project_id = ${projectId} and device_class = ${id}`;
  const channels = await db.many<Named>(sql`
    select id, name, count(*) over ()::int as total from channels ${ofClass}
    order by ${raw(byName('name'))}, id limit ${namedMax}`);
  const bundles = await db.many<Named>(sql`
    select id, name, count(*) over ()::int as total from bundles ${ofClass}
    order by ${raw(byName('name'))}, id limit ${namedMax}`);
  if (devices.length + channels.length + bundles.length === 0) return undefined;
  return {
    deviceCount,
    devices,
    channelCount: channels[0]?.total ?? 0,
    channels: channels.map(named),
    bundleCount: bundles[0]?.total ?? 0,
    bundles: bundles.map(named),
  };
}

interface Named {
  id: string;
  name: string;
  total: number;
}

const named = ({ id, name }: Named) => ({ id, name });
