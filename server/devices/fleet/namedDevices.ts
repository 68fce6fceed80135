import type { Finding } from '#contract/finding.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** The devices with name and tag, in the order of the ids. */
export async function namedDevices(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Finding['devices']> {
  const rows = await db.many<Finding['devices'][number]>(sql`
    select id, name, tag from devices where project_id = ${projectId} and id = any(${ids})`);
  return ids.flatMap(id => rows.filter(row => row.id === id));
}
