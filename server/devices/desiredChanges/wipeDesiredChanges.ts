import { erasedName } from '#server/api/logs/entryNames.ts';
import type { ErasedUser, Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';

/** Removes the name of an erased end user from their changes, but keeps the id. */
export async function forgetWhoDesired(db: Db, { projectId, userId }: ErasedUser): Promise<void> {
  await db.run(sql`
    update desired_changes set set_by = set_by || ${JSON.stringify({ displayName: erasedName })}::jsonb
    where project_id = ${projectId} and set_by ->> 'callerType' = 'user' and set_by ->> 'id' = ${userId}`);
}

/** Deletes a batch of a device's changes of this period; false: none is left. */
export async function wipeDesiredChanges(
  db: Db,
  { projectId, deviceId, from, until }: Released,
): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from desired_changes where project_id = ${projectId} and device_id = ${deviceId} and version in (
      select version from desired_changes
      where project_id = ${projectId} and device_id = ${deviceId} and created_at >= ${from} and created_at < ${until}
      limit ${batch})`);
  return deleted > 0;
}
