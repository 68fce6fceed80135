import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';

/** Deletes a batch of the alerts that a device raised in this period; false: none is left. */
export async function wipeAlerts(db: Db, { projectId, deviceId, from, until }: Released): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from alerts where project_id = ${projectId} and id in (
      select id from alerts
      where project_id = ${projectId} and device_id = ${deviceId} and ts >= ${from} and ts < ${until}
      limit ${batch})`);
  return deleted > 0;
}
