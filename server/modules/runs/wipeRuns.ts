import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';

/**
 * Deletes a batch of runs for a device in this period, because their requests contain what the device reported; false
 * if none are left. The counts stay.
 */
export async function wipeRuns(db: Db, { projectId, deviceId, from, until }: Released): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from module_runs where project_id = ${projectId} and device_id = ${deviceId} and id in (
      select id from module_runs
      where project_id = ${projectId} and device_id = ${deviceId} and event_ts >= ${from} and event_ts < ${until}
      limit ${batch})`);
  return deleted > 0;
}
