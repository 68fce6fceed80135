import { classesMax } from '#contract/deviceClass.ts';
import { bundlesShownMax, type ClassFirmware } from '#contract/stats.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** What the devices of each class run, from counters that the database maintains, exact for any number of devices. */
export function classFirmware(db: Db, projectId: string): Promise<ClassFirmware[]> {
  return db.many<ClassFirmware>(sql`
    with counted as (
      select device_class, bundle_id, sum(devices)::float8 as devices from bundle_counts
      where project_id = ${projectId} group by device_class, bundle_id having sum(devices) > 0),
    ranked as (
      select *, row_number() over (partition by device_class order by devices desc, bundle_id desc) as place
      from counted)
    select r.device_class as "deviceClass", sum(r.devices)::float8 as devices,
      jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'devices', r.devices) order by r.place)
        filter (where r.place <= ${bundlesShownMax}) as bundles
    from ranked r join bundles b on b.project_id = ${projectId} and b.id = r.bundle_id
    group by r.device_class order by r.device_class limit ${classesMax}`);
}
