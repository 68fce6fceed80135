import type { ModuleRun, ModuleRunDetail } from '#contract/moduleRun.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** A run with its device, as read from the database. */
export interface RunRow {
  id: string;
  moduleId: string;
  state: ModuleRun['state'];
  dueAt: Date | null;
  eventId: string | null;
  eventTs: Date | null;
  eventName: string | null;
  deviceId: string | null;
  tag: string | null;
  name: string | null;
  isTest: boolean;
  attempts: number;
  createdAt: Date;
  lastAt: Date | null;
  ms: number | null;
  summary: string;
  nextAt: Date | null;
  causedBy: string[];
  history: ModuleRunDetail['history'];
}

/** Columns of `module_runs r` and its device `d`. */
export const runColumns = sql`
  r.id, r.module_id as "moduleId", r.state, r.due_at as "dueAt", r.event_id as "eventId", r.event_ts as "eventTs",
  r.event_name as "eventName", r.device_id as "deviceId", d.tag, d.name, r.is_test as "isTest", r.attempts,
  r.created_at as "createdAt", r.last_at as "lastAt", r.ms, r.summary, r.next_at as "nextAt"`;

const detailColumns = sql`${runColumns}, r.caused_by as "causedBy", r.history`;

export const joinDevice = sql`left join devices d on d.project_id = r.project_id and d.id = r.device_id`;

export function findRun(
  db: Db,
  { projectId, moduleId, runId }: { projectId: string; moduleId: string; runId: string },
): Promise<RunRow | undefined> {
  return db.one<RunRow>(sql`
    select ${detailColumns} from module_runs r ${joinDevice}
    where r.project_id = ${projectId} and r.module_id = ${moduleId} and r.id = ${runId}`);
}

/** The modules of those runs that still exist. */
export async function modulesOfRuns(
  db: Db,
  projectId: string,
  runIds: readonly string[],
): Promise<Map<string, { moduleId: string }>> {
  if (runIds.length === 0) return new Map();
  // Starts from the modules, which are few, because runs have no index on the id alone.
  const rows = await db.many<{ id: string; moduleId: string }>(sql`
    select r.id, m.id as "moduleId" from smart_modules m
    join module_runs r on r.project_id = m.project_id and r.module_id = m.id and r.id = any(${[...runIds]})
    where m.project_id = ${projectId}`);
  return new Map(rows.map(({ id, moduleId }) => [id, { moduleId }]));
}

/** The run as the API shows it. */
export function toRun(row: Omit<RunRow, 'causedBy' | 'history'>): ModuleRun {
  const { id, moduleId, state, isTest, attempts, createdAt, lastAt, ms, summary, nextAt, dueAt } = row;
  const { eventId, eventTs, eventName, deviceId, tag, name } = row;
  return {
    id,
    moduleId,
    state,
    isTest,
    attempts,
    summary,
    createdAt: createdAt.toISOString(),
    ...(dueAt && { dueAt: dueAt.toISOString() }),
    ...(eventId !== null &&
      eventTs && {
        event: { id: eventId, ts: eventTs.toISOString(), name: eventName ?? '', deviceId: deviceId ?? '' },
      }),
    ...(deviceId !== null && { device: { id: deviceId, tag: tag ?? '', name: name ?? '' } }),
    ...(lastAt && { lastAt: lastAt.toISOString() }),
    ...(ms !== null && { ms }),
    ...(nextAt && { nextAt: nextAt.toISOString() }),
  };
}
