import { findingsMax } from '#contract/finding.ts';
import type { ProjectFleet } from '#contract/fleet.ts';
import { dayMs } from '#rules/time/durations.ts';
import { stateSums } from '#server/devices/devices/list/counters.ts';
import { recentSignal } from '#server/devices/devices/list/filters.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

const spanMs = dayMs;

/** The fleets of those projects that the developer is a member of, in one statement. */
export function fleetsOf(
  db: Db,
  developerId: string,
  projectIds: readonly string[],
  now: Date,
): Promise<ProjectFleet[]> {
  return db.many<ProjectFleet>(sql`
    select m.project_id as "projectId", to_jsonb(n) as states, a.alerts, coalesce(h.connected, '{}') as connected
    from project_members m join projects p on p.id = m.project_id and p.deleted_at is null
    cross join lateral (
      select ${stateSums}
      from device_counts c where c.project_id = m.project_id) n
    cross join lateral (
      select count(*)::int as alerts from (
        select 1 ${recentSignal.alert} and project_id = m.project_id limit ${findingsMax}) recent) a
    cross join lateral (
      select array_agg(connected::float8 order by at) as connected from connected_history c
      where c.project_id = m.project_id and c.device_class = '' and c.at > ${new Date(now.getTime() - spanMs)}) h
    where m.developer_id = ${developerId} and m.project_id = any(${projectIds})
    order by m.project_id`);
}
