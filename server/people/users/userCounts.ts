import type { UserCounts, UserState } from '#contract/user.ts';
import { type Db, raw, type Sql, sql } from '#server/infra/db/sql.ts';

/** The number of users of a project by state; triggers keep it exact for any number of users. */
export async function userCountsOf(db: Db, projectId: string): Promise<UserCounts> {
  const counts = await db.one<UserCounts>(sql`
    select ${sum('active')} as active, ${sum('unverified')} as unverified, ${sum('suspended')} as suspended
    from user_counts where project_id = ${projectId}`);
  return counts as UserCounts;
}

/** The number of users as a column: of all states, or of one. */
export function userTotal(projectId: string, state: UserState | undefined): Sql {
  return sql`(
    select ${sum(state ?? 'active + unverified + suspended')} from user_counts where project_id = ${projectId})`;
}

const sum = (counter: UserState | 'active + unverified + suspended'): Sql =>
  sql`coalesce(sum(${raw(counter)}), 0)::float8`;
