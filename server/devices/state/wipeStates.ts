import { type Db, sql } from '#server/infra/db/sql.ts';

/**
 * Deletes the desired and reported states of devices; their installed firmware stays known. The version of the desired
 * state continues, so that a device treats the empty one as newer.
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
