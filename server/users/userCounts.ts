import type { UserCounts, UserState } from '#contract/user.ts';
import { type Db, raw, type Sql, sql } from '#server/db/sql.ts';

/** How many users a project has, by state; triggers keep it exact at any size. */
export async function userCountsOf(db: Db, projectId: string): Promise<UserCounts> {
  const counts = await db.one<UserCounts>(sql`
    select ${sum('active')} as active, ${sum('unverified')} as unverified, ${sum('suspended')} as suspended
    from user_counts where project_id = ${projectId}`);
  return counts as UserCounts;
}

/** The same as one column: of all states, or of one. */
export function userTotal(projectId: string, state: UserState | undefined): Sql {
  return sql`(
    select ${sum(state ?? 'active + unverified + suspended')} from user_counts where project_id = ${projectId})`;
}

const sum = (counter: UserState | 'active + unverified + suspended'): Sql =>
  sql`coalesce(sum(${raw(counter)}), 0)::float8`;
