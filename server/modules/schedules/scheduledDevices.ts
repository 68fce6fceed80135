import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import type { EventDevice } from '#server/modules/smartModules/moduleType.ts';
import { type ChosenBy, scheduledDevicesMax } from './scheduleConfig.ts';

export type ScheduledDevice = Pick<EventDevice, 'id' | 'deviceClass'>;

/** The devices of a schedule that are not suspended; one more than the limit, so that the caller notices an excess. */
export function scheduledDevices(db: Db, projectId: string, by: ChosenBy): Promise<ScheduledDevice[]> {
  return db.many<ScheduledDevice>(sql`
    select id, device_class as "deviceClass" from devices
    where project_id = ${projectId} and not suspended and ${conditionOf(by)}
    order by id limit ${scheduledDevicesMax + 1}`);
}

function conditionOf(by: ChosenBy): Sql {
  switch (by.by) {
    case 'class':
      return sql`device_class = ${by.deviceClass}`;
    case 'tag':
      return sql`starts_with(tag, ${by.tag})`;
    case 'home':
      return sql`home_id = ${by.homeId}
        ${by.deviceClass === '' ? empty : sql`and device_class = ${by.deviceClass}`}`;
    case 'ids':
      return sql`id = any(${by.ids})`;
  }
}
