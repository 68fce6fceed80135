import type { ModuleActivity } from '#contract/smartModule.ts';
import { hourMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

const hours = 24;

interface Counted {
  moduleId: string;
  hours: { hour: string; done: number; failed: number }[];
  lastAt: Date | null;
  lastFailedAt: Date | null;
  failingSince: Date | null;
  waiting: number;
}

/** What modules did in the last 24 hours, by module id. */
export async function activitiesOf(
  db: Db,
  projectId: string,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, ModuleActivity>> {
  const since = firstHour(now);
  const rows = await db.many<Counted>(sql`
    select asked.id as "moduleId",
      coalesce((select json_agg(json_build_object('hour', h.hour, 'done', h.done, 'failed', h.failed))
        from module_hours h where h.project_id = ${projectId} and h.module_id = asked.id and h.hour >= ${since}), '[]')
        as hours,
      l.last_at as "lastAt", l.last_failed_at as "lastFailedAt", f.failing_since as "failingSince",
      (select count(*)::int from module_runs r
        where r.project_id = ${projectId} and r.module_id = asked.id and r.state = 'waiting') as waiting
    from unnest(${ids}::text[]) as asked (id)
    left join lateral (
      select max(last_at) as last_at, max(last_failed_at) as last_failed_at from module_hours
      where project_id = ${projectId} and module_id = asked.id) l on true
    left join module_health f on f.project_id = ${projectId} and f.module_id = asked.id`);
  return new Map(rows.map(row => [row.moduleId, toActivity(row, since)]));
}

/** The beginning of the first of the last 24 hours, including the current one. */
function firstHour(now: Date): Date {
  return new Date((Math.floor(now.getTime() / hourMs) - (hours - 1)) * hourMs);
}

function toActivity(counts: Counted, since: Date): ModuleActivity {
  const { hours: counted, lastAt, lastFailedAt, failingSince, waiting } = counts;
  const byHour = new Map(counted.map(one => [new Date(one.hour).getTime(), one]));
  const all = Array.from({ length: hours }, (_, at) => {
    const ms = since.getTime() + at * hourMs;
    const { done = 0, failed = 0 } = byHour.get(ms) ?? {};
    return { hour: new Date(ms).toISOString(), done, failed };
  });
  return {
    done: all.reduce((sum, { done }) => sum + done, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    waiting,
    ...(lastAt && { lastAt: lastAt.toISOString() }),
    ...(lastFailedAt && { lastFailedAt: lastFailedAt.toISOString() }),
    ...(failingSince && { failingSince: failingSince.toISOString() }),
    hours: all,
  };
}
