import { historyDays } from '#rules/time/retention.ts';
import type { Partitioned } from '#server/infra/db/maintainPartitions.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';

/** The longest retention; a project can have a shorter one. */
export const reportPartition: Partitioned = { table: 'state_reports', by: 'day', keptDays: historyDays.raw };
export const minutePartitions: Partitioned = {
  table: 'state_minutes',
  by: 'week',
  keptDays: historyDays.fiveMinute,
};
export const hourPartitions: Partitioned = {
  table: 'state_hours',
  by: 'month',
  keptDays: historyDays.hourly,
};

export const reportPartitions = [reportPartition];
export const figurePartitions = [minutePartitions, hourPartitions];

/** The subject under which the figures of a class are stored. */
export const subjectOfClass = (classId: string) => `class:${classId}`;

/** Condition: rows whose transaction is not visible in a snapshot. */
export const unseen = (table: Sql, snapshot: Sql) =>
  sql`${table}.tx >= pg_snapshot_xmin(${snapshot}) and not pg_visible_in_snapshot(${table}.tx, ${snapshot})`;
