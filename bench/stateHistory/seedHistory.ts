import { dayMs } from '#rules/time/durations.ts';
import { figurePartitions, subjectOfClass } from '#server/devices/stateHistory/historyTables.ts';
import { maintainPartitions } from '#server/infra/db/maintainPartitions.ts';
import { type Database, sql } from '#server/infra/db/sql.ts';

const days = 30;
/**
 * The number of devices per statement, because statements have a time limit. A class has the same number of rows
 * regardless of this.
 */
const idsAtOnce = 20;

/** A month with one value per minute, as the roll-up would have left it, and the last two hours as reports. */
export async function seedHistory(
  db: Database,
  { projectId, classId, ids }: { projectId: string; classId: string; ids: string[] },
): Promise<void> {
  const now = Date.now();
  for (let ago = days + 1; ago >= 0; ago -= 7)
    await maintainPartitions(db, figurePartitions, new Date(now - ago * dayMs));
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const some = ids.slice(first, first + idsAtOnce);
    await db.run(sql`
      insert into state_minutes (project_id, subject, property, at, least, most, sum, count)
      select ${projectId}, d.id, 'temperature', at, v - 0.3, v + 0.3, 5 * v, 5
      from unnest(${some}::text[]) with ordinality as d (id, n) cross join lateral (
        select at, 20 + 3 * sin(extract(epoch from at) / 13751 + d.n) as v
        from generate_series(
          date_bin('5 minutes', now() - interval '30 days', '2000-01-01T00:00:00Z'), now(), '5 minutes') at) s`);
    await db.run(sql`
      insert into state_hours (project_id, subject, property, at, least, most, sum, count)
      select project_id, subject, property, date_bin('1 hour', at, '2000-01-01T00:00:00Z'), min(least), max(most),
        sum(sum), sum(count)
      from state_minutes where subject = any(${some}) group by 1, 2, 3, 4`);
  }
  for (const table of [sql`state_minutes`, sql`state_hours`])
    await db.run(sql`
      insert into ${table} (project_id, subject, property, at, least, most, sum, count)
      select project_id, ${subjectOfClass(classId)}, property, at, min(least), max(most), sum(sum), sum(count)
      from ${table} where subject = any(${ids.slice(0, idsAtOnce)}) group by 1, 3, 4`);
  await db.run(sql`
    insert into state_properties (project_id, property, is_kept, last_at) values (${projectId}, 'temperature', true, now())
    on conflict do nothing`);
  await db.run(sql`
    insert into state_reports (project_id, device_id, ts, numbers)
    select ${projectId}, id, at, json_build_object('temperature', 20 + random())
    from unnest(${ids}::text[]) as id, generate_series(now() - interval '2 hours', now(), '1 minute') at`);
  for (const table of [sql`state_minutes`, sql`state_hours`, sql`state_reports`])
    await db.run(sql`analyze ${table}`);
}
