import type { Device } from '#contract/device.ts';
import type { DeviceEntity } from '#contract/deviceState.ts';
import { entitiesMax } from '#rules/devices/gatewayLimits.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';

interface Row {
  name: string;
  class: string;
  state: DeviceEntity['state'] | null;
}

export async function entitiesOf(
  db: Db,
  { projectId, id }: Pick<Device, 'projectId' | 'id'>,
): Promise<DeviceEntity[]> {
  const rows = await db.many<Row>(sql`
    select name, class, state from device_entities where project_id = ${projectId} and device_id = ${id}
    order by ${raw(byName('name'))} limit ${entitiesMax}`);
  return rows.map(({ state, ...entity }) => ({ ...entity, ...(state !== null && { state }) }));
}
