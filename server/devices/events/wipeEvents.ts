import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';

/** Deletes a batch of events of a device; false: nothing is left. */
export async function wipeEvents(db: Db, { projectId, deviceId, from, until }: Released): Promise<boolean> {
  const events = await db.run(sql`
    delete from device_events
    where project_id = ${projectId} and device_id = ${deviceId} and ts >= ${from} and ts < ${until}
      and (ts, id) in (
        select ts, id from device_events
        where project_id = ${projectId} and device_id = ${deviceId} and ts >= ${from} and ts < ${until}
        limit ${batch})`);
  return events > 0;
}
