import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';

/** Deletes a batch of a device's changes in this period; false if none are left. */
export async function wipeChanges(db: Db, { projectId, deviceId, from, until }: Released): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from device_changes
    where project_id = ${projectId} and device_id = ${deviceId} and ts >= ${from} and ts < ${until}
      and (ts, seq) in (
        select ts, seq from device_changes
        where project_id = ${projectId} and device_id = ${deviceId} and ts >= ${from} and ts < ${until}
        limit ${batch})`);
  return deleted > 0;
}
