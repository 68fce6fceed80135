import { contains } from '#server/db/contains.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** What users are called, by id; who was erased is not among them. */
export async function userNames(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.many<{ id: string; name: string }>(sql`
    select id, coalesce(nullif(name, ''), email, '') as name from users
    where project_id = ${projectId} and id = any(${[...new Set(ids)]})`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** More than anyone means by a name. */
const namedMax = 100;

/** The ids of the users whose name, address or id has this in it, as far as one search takes them. */
export async function usersNamed(db: Db, projectId: string, text: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id from users where project_id = ${projectId} and ${contains(sql`search`, text)} limit ${namedMax}`);
  return rows.map(({ id }) => id);
}
