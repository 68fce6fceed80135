import { type Db, sql } from '#server/infra/db/sql.ts';

/** Called when someone has looked after a module: its earlier failures no longer count. */
export async function forgetHealth(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  await db.run(sql`
    update module_health set failing_since = null where project_id = ${projectId} and module_id = ${id}`);
}
