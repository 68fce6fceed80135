import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Rejects calls about a class that does not exist. */
export async function mustHaveClass(db: Db, projectId: string, id: string): Promise<void> {
  const found = await db.one(
    sql`select 1 as found from device_classes where project_id = ${projectId} and id = ${id}`,
  );
  if (!found) throw new Problem('DEVICE_CLASS_NOT_FOUND');
}
