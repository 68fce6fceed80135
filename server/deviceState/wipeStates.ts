import { type Db, sql } from '#server/db/sql.ts';

/**
 * Forgets what devices were told to be and what they said they are; firmware that they run stays known. The version of
 * the desired state goes on, so that a device takes the empty one for the newer.
 */
export async function wipeStates(db: Db, projectId: string, deviceIds: readonly string[]): Promise<void> {
  await db.run(sql`
    update device_states set desired = '{}', desired_at = null, desired_version = desired_version + 1,
      reported = '{}', reported_at = null, reported_changes = '{}'
    where project_id = ${projectId} and device_id = any(${deviceIds})`);
  await db.run(sql`
    update device_entities set state = null
    where project_id = ${projectId} and device_id = any(${deviceIds}) and state is not null`);
}
