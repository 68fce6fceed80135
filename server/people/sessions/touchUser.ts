import { type Db, sql } from '#server/infra/db/sql.ts';

/** Records when the user was last seen, without increasing the revision. */
export function touchUser(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  now: Date,
): Promise<number> {
  return db.run(sql`update users set last_seen_at = ${now} where project_id = ${projectId} and id = ${id}`);
}
