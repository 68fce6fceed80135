import { projectPropertiesMax } from '#contract/stateHistory.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore, daysBefore } from '#server/infra/jobs/housekeeping.ts';

/** Number of properties beyond the limit that are listed by name. */
const namedMax = 100;

/**
 * Records which properties were reported, in rows of state_reports as `n` with `said`. A project has a limited number;
 * the rest are listed by name, so that a developer sees what has no history. Only for the job, which never runs
 * concurrently.
 */
export async function recordProperties(db: Db, said: Sql): Promise<void> {
  await db.run(sql`
    with reported as materialized (
      select n.project_id, said.property, max(n.ts) as at from ${said} group by 1, 2),
    known as (
      update state_properties k set last_at = r.at from reported r
      where k.project_id = r.project_id and k.property = r.property and k.is_kept and k.last_at < r.at - interval '1 hour'),
    new as (
      select r.*, row_number() over (partition by r.project_id order by r.property) as n from reported r
      where not exists (
        select from state_properties k where k.project_id = r.project_id and k.property = r.property))
    insert into state_properties (project_id, property, is_kept, last_at)
    select new.project_id, new.property, new.n <= room.left, new.at
    from new cross join lateral (
      select greatest(0, ${projectPropertiesMax} - count(*) filter (where is_kept)) as left,
        ${namedMax} - count(*) filter (where not is_kept) as named
      from state_properties k where k.project_id = new.project_id) room
    where new.n <= room.left or new.n - room.left <= room.named`);
}

/** A property that is no longer reported frees its place; properties without a place are tried again each day. */
export const propertyChore: Chore = {
  name: 'properties of state history',
  deletes: now => sql`
    delete from state_properties where (project_id, property) in (
      select k.project_id, k.property from state_properties k join projects p on p.id = k.project_id
      where case when k.is_kept then k.last_at < ${now}::timestamptz - make_interval(days => p.hourly_history_days)
        else k.last_at < ${daysBefore(now, 1)} end
      limit ${batch}) returning 1`,
};
