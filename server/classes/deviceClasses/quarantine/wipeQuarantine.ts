import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Deletes all quarantined messages of these devices. */
export async function forgetQuarantined(
  db: Db,
  projectId: string,
  deviceIds: readonly string[],
): Promise<void> {
  await db.run(sql`delete from quarantine where project_id = ${projectId} and device_id = any(${deviceIds})`);
}

/** Deletes the quarantined messages of a device in this time range; a class has at most ten thousand. */
export async function wipeQuarantine(
  db: Db,
  { projectId, deviceClass, deviceId, from, until }: Released,
): Promise<boolean> {
  await db.run(sql`
    delete from quarantine
    where project_id = ${projectId} and device_class = ${deviceClass} and device_id = ${deviceId}
      and ts >= ${from} and ts < ${until}`);
  return false;
}
