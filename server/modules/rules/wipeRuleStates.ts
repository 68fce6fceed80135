import type { Released } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Deletes the states of rules for a device from before a time, so that a new owner starts without them. */
export async function wipeRuleStates(
  db: Db,
  { projectId, deviceId, until }: Pick<Released, 'projectId' | 'deviceId' | 'until'>,
): Promise<boolean> {
  await db.run(sql`
    delete from rule_states
    where project_id = ${projectId} and device_id = ${deviceId} and (since is null or since < ${until})`);
  return false;
}
