import { classesMax } from '#contract/deviceClass.ts';
import { type DeviceFigures, figureMax, type ProjectStats } from '#contract/stats.ts';
import { deviceSums } from '#server/devices/devices/list/counters.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';

const channelsMax = 100;

/** The number of devices of a class by status. Channels have no counters, and are counted up to a limit. */
export async function deviceFigures(db: Db, projectId: string, classId: string): Promise<DeviceFigures> {
  const ofClass = sql`project_id = ${projectId} and device_class = ${classId}`;
  const bounded = (from: Sql) =>
    sql`(select count(*)::int from (select 1 ${from} limit ${figureMax}) counted)`;
  const devices = (which: Sql) => bounded(sql`from devices where ${ofClass} and ${which}`);
  const figures = await db.one<Omit<DeviceFigures, 'channels'>>(sql`
    select ${deviceSums} from device_counts where ${ofClass}`);
  // Jumps from channel to channel in the index, without reading every device.
  const channels = await db.many<DeviceFigures['channels'][number]>(sql`
    with recursive followed as (
      (select channel from devices where ${ofClass} order by channel limit 1)
      union all
      select (select d.channel from devices d
        where d.project_id = ${projectId} and d.device_class = ${classId} and d.channel > f.channel
        order by d.channel limit 1)
      from followed f where f.channel is not null)
    select channel, ${devices(sql`channel = followed.channel`)} as count
    from followed where channel is not null limit ${channelsMax}`);
  return { ...(figures as Omit<DeviceFigures, 'channels'>), channels };
}

/**
 * Every class of the project, including those without devices, from counters that the database maintains, exact for any
 * number of devices.
 */
export function devicesByClass(db: Db, projectId: string): Promise<ProjectStats['devices']> {
  return db.many<ProjectStats['devices'][number]>(sql`
    select c.id as "deviceClass", ${deviceSums}
    from device_classes c left join device_counts n on n.project_id = c.project_id and n.device_class = c.id
    where c.project_id = ${projectId} group by c.id order by c.id limit ${classesMax}`);
}
