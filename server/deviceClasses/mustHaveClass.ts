import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** Refuses what is about a class that is not there. */
export async function mustHaveClass(db: Db, projectId: string, id: string): Promise<void> {
  const found = await db.one(
    sql`select 1 as found from device_classes where project_id = ${projectId} and id = ${id}`,
  );
  if (!found) throw new Problem('DEVICE_CLASS_NOT_FOUND');
}
