import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';

/** Deletes commands that devices have not finished, so that none of them is executed later. */
export function dropOpenCommands(db: Db, projectId: string, deviceIds: readonly string[]): Promise<number> {
  return db.run(sql`
    delete from device_commands
    where project_id = ${projectId} and device_id = any(${deviceIds})
      and stage in ('queued', 'sent', 'acknowledged')`);
}

/** Deletes a batch of a device's commands of this period; false: none is left. */
export async function wipeCommands(db: Db, { projectId, deviceId, from, until }: Released): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from device_commands where project_id = ${projectId} and device_id = ${deviceId} and id in (
      select id from device_commands
      where project_id = ${projectId} and device_id = ${deviceId} and created_at >= ${from} and created_at < ${until}
      limit ${batch})`);
  return deleted > 0;
}
