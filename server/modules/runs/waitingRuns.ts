import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';

/** The fields of a waiting run that determine its turn. */
export interface WaitingRun {
  id: string;
  /** Empty if the run has no device. */
  deviceId: string;
  nextAt: Date | null;
}

/** The runs of `module_runs r` that were postponed to a later time. */
export const isPostponed = (now: Date): Sql =>
  sql`r.state = 'waiting' and (r.next_at = r.due_at and r.next_at > ${now}) is true`;

/**
 * The runs of `module_runs r` that wait for their turn. A postponed run has none: it neither keeps the next run of its
 * device waiting nor counts towards the limit of its module.
 */
export const inLine = (now: Date): Sql => sql`r.state = 'waiting' and not (${isPostponed(now)})`;

/** The runs of a module that wait for their turn, in order. */
export function waitingRuns(
  db: Db,
  { projectId, id, now }: { projectId: string; id: string; now: Date },
): Promise<WaitingRun[]> {
  return db.many<WaitingRun>(sql`
    select r.id, coalesce(r.device_id, '') as "deviceId", r.next_at as "nextAt" from module_runs r
    where r.project_id = ${projectId} and r.module_id = ${id} and ${inLine(now)}
    order by r.seq limit ${2 * parkAfter.waiting}`);
}

/** How many runs wait for their turn, for each of these modules. */
export async function waitingCounts(
  db: Db,
  modules: readonly { projectId: string; id: string }[],
  now: Date,
): Promise<Map<string, number>> {
  if (modules.length === 0) return new Map();
  const rows = await db.many<{ key: string; count: number }>(sql`
    select m.project_id || ' ' || m.id as key, (
      select count(*)::int from module_runs r
      where r.project_id = m.project_id and r.module_id = m.id and ${inLine(now)}) as count
    from unnest(${modules.map(one => one.projectId)}::text[], ${modules.map(one => one.id)}::text[]) as m (project_id, id)`);
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/** The run to be executed, if it still waits and its module may run. */
export interface DueRun {
  projectId: string;
  moduleId: string;
  id: string;
  revision: number;
  attempts: number;
  deviceId: string | null;
  eventId: string | null;
  dueAt: Date | null;
  isTest: boolean;
  causedBy: string[];
  /** It was chosen before the module was changed, or at about that time, and so perhaps by what the module was before. */
  isOlder: boolean;
}

/**
 * A dispatcher may choose by an old view of a module for a moment, unless it was never changed. The clocks of two
 * processes can differ as well.
 */
const oldView = '1 minute';

export function dueRuns(
  db: Db,
  keys: readonly { projectId: string; moduleId: string; id: string }[],
): Promise<DueRun[]> {
  return db.many<DueRun>(sql`
    select r.project_id as "projectId", r.module_id as "moduleId", r.id, s.revision, r.attempts,
      r.device_id as "deviceId", r.event_id as "eventId", r.due_at as "dueAt", r.is_test as "isTest",
      r.caused_by as "causedBy", r.created_at < s.changed_at + case when s.changed_at > s.created_at
        then ${oldView}::interval else '0' end as "isOlder"
    from unnest(
      ${keys.map(key => key.projectId)}::text[], ${keys.map(key => key.moduleId)}::text[],
      ${keys.map(key => key.id)}::text[]) as asked (project_id, module_id, id)
    join module_runs r on r.project_id = asked.project_id and r.module_id = asked.module_id and r.id = asked.id
      and r.state = 'waiting'
    join smart_modules s on s.project_id = r.project_id and s.id = r.module_id
      and not s.suspended and s.parked_at is null`);
}
