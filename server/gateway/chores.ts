import { keptDays } from '#server/db/devicePartitions.ts';
import { sql } from '#server/db/sql.ts';
import { batch, type Chore } from '#server/jobs/housekeeping.ts';

const keptFrom = (now: Date) => new Date(now.getTime() - keptDays * 86_400_000);

/** What devices said and were told, once it has had its time. Events and presence go by their partitions. */
export const gatewayChores: readonly Chore[] = [
  {
    name: 'commands',
    deletes: now => sql`
      delete from device_commands where (project_id, device_id, id) in (
        select project_id, device_id, id from device_commands where created_at < ${keptFrom(now)}
        limit ${batch}) returning 1`,
  },
  {
    name: 'quarantined messages',
    deletes: now => sql`
      delete from quarantine where (project_id, device_class, ts, id) in (
        select project_id, device_class, ts, id from quarantine where ts < ${keptFrom(now)} limit ${batch})
      returning 1`,
  },
  {
    name: 'alerts',
    deletes: now => sql`
      delete from alerts where (project_id, id) in (
        select old.project_id, old.id from projects p cross join lateral (
          select a.project_id, a.id from alerts a
          where a.project_id = p.id and a.ts < ${now}::timestamptz - make_interval(days => p.alert_retention_period)
          limit ${batch}) as old
        limit ${batch}) returning 1`,
  },
];
