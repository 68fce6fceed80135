import { type PeopleFigures, peopleMax } from '#contract/stats.ts';
import { userStates } from '#contract/user.ts';
import { dayMs } from '#rules/time/durations.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { newId } from '#server/infra/ids.ts';
import { userCountsOf } from '#server/people/users/userCounts.ts';

const newDays = 7;

/**
 * Counts the people who use the product. All users have a counter; the others are counted by an index, up to a limit.
 */
export async function peopleFigures(db: Db, projectId: string, now: Date): Promise<PeopleFigures> {
  // Ids sort by creation time.
  const firstNew = newId('usr', now.getTime() - newDays * dayMs);
  const seenSince = new Date(now.getTime() - dayMs);
  const { active, unverified, suspended } = await userCountsOf(db, projectId);
  const counted = await db.one<Omit<PeopleFigures, 'users'>>(sql`
    select
      ${bounded(sql`from users where project_id = ${projectId} and id >= ${firstNew}`)} as "newUsers",
      ${bounded(sql`from users where project_id = ${projectId} and state = any(${[...userStates]})
        and seen_order > ${seenSince}`)} as "seenUsers",
      ${bounded(sql`from homes where project_id = ${projectId}`)} as homes`);
  return { users: active + unverified + suspended, ...(counted as Omit<PeopleFigures, 'users'>) };
}

const bounded = (from: Sql): Sql =>
  sql`(select count(*)::int from (select 1 ${from} limit ${peopleMax}) counted)`;
