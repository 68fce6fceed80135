import type { Partitioned } from '#server/infra/db/maintainPartitions.ts';
import { raw, type Sql, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import { hourPartitions, minutePartitions } from './historyTables.ts';
import { propertyChore } from './properties.ts';

/**
 * Deletes rows of projects with a shorter retention than the partitions. Only whole days, weeks or months, in which all
 * rows of the project are deleted, so that no row must be searched for.
 */
function shorter({ table, by, keptDays }: Partitioned, days: Sql): Chore {
  return {
    name: `rows of ${table} that their project keeps no longer`,
    deletes: now => sql`
      delete from ${raw(table)} where (tableoid, ctid) in (
        select old.tableoid, old.ctid from projects p cross join lateral (
          select t.tableoid, t.ctid from ${raw(table)} t
          where t.project_id = p.id and t.at < date_trunc(
            ${by}, (${now}::timestamptz - make_interval(days => ${days})) at time zone 'UTC') at time zone 'UTC'
          limit ${batch}) old
        where ${days} < ${keptDays} limit ${batch}) returning 1`,
  };
}

export const historyChores: readonly Chore[] = [
  shorter(minutePartitions, sql`p.five_minute_history_days`),
  shorter(hourPartitions, sql`p.hourly_history_days`),
  propertyChore,
];
