import { type Db, sql } from '#server/db/sql.ts';

/** Somebody has looked after a module: how long it failed before counts no more. */
export async function forgetHealth(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  await db.run(sql`
    update module_health set failing_since = null where project_id = ${projectId} and module_id = ${id}`);
}
