import { dayMs } from '#rules/time/durations.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';

const days = 30;
const countMax = 1_000;

/**
 * How often signing in as `users u` has failed recently, as a column, counted from refusals in the audit log. Stops at
 * a thousand.
 */
export function failedSignInsSince(now: Date): Sql {
  const since = new Date(now.getTime() - days * dayMs);
  return sql`(
    select count(*)::int from (
      select from log_people n
      join log_entries e on e.project_id = n.project_id and e.stream = n.stream and e.ts = n.ts and e.id = n.entry_id
      where n.project_id = u.project_id and n.person = u.id and n.stream = 'audit' and n.ts > ${since}
        and e.ts > ${since} and e.action = 'signIn' and e.level = 1
      limit ${countMax}) failed)`;
}
