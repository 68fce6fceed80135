import { contains } from '#server/infra/db/contains.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** The names of users by id; erased users are not included. */
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

/** More than any search for a name needs. */
const namedMax = 100;

/** The ids of users whose name, address or id contains this text, up to a limit. */
export async function usersNamed(db: Db, projectId: string, text: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id from users where project_id = ${projectId} and ${contains(sql`search`, text)} limit ${namedMax}`);
  return rows.map(({ id }) => id);
}
