import { type Db, sql } from '#server/db/sql.ts';

/** Forgets what rules remember of a device from before a time: a new owner's device begins anew. */
export async function wipeRuleStates(
  db: Db,
  { projectId, deviceId, until }: { projectId: string; deviceId: string; until: Date },
): Promise<void> {
  await db.run(sql`
    delete from rule_states
    where project_id = ${projectId} and device_id = ${deviceId} and (since is null or since < ${until})`);
}
