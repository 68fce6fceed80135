import type { Attempt, ModuleRun } from '#contract/moduleRun.ts';
import { dayMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { countRuns, runCounts } from './countRuns.ts';

/** The result of an attempt. */
export interface EndedAttempt {
  projectId: string;
  moduleId: string;
  id: string;
  /** `waiting` if another attempt follows. */
  state: ModuleRun['state'];
  nextAt: Date | null;
  /** Set if the run was postponed: lateness is measured from this time. */
  dueAt?: Date;
  /** Absent if nothing was attempted. */
  attempt: Attempt | undefined;
  summary: string;
}

/** Number of the latest attempts that are kept per run. */
const historyMax = 20;

/** Stores the results of attempts, and returns the ids of the runs that were still waiting for one. */
export async function endRuns(db: Db, ended: readonly EndedAttempt[], now: Date): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`
    update module_runs r set state = e.state, next_at = e.next_at, due_at = coalesce(e.due_at, r.due_at), summary = e.summary, last_at = ${now},
      attempts = least(r.attempts + (e.attempt is not null)::int, 32767), ms = coalesce((e.attempt ->> 'ms')::real, r.ms),
      history = case
        when e.attempt is null then r.history
        when jsonb_array_length(r.history) >= ${historyMax} then (r.history - 0) || e.attempt
        else r.history || e.attempt end
    from unnest(
      ${ended.map(one => one.projectId)}::text[], ${ended.map(one => one.moduleId)}::text[],
      ${ended.map(one => one.id)}::text[], ${ended.map(one => one.state)}::text[],
      ${ended.map(one => one.nextAt)}::timestamptz[], ${ended.map(one => one.dueAt ?? null)}::timestamptz[],
      ${ended.map(one => one.summary)}::text[],
      ${ended.map(one => (one.attempt ? JSON.stringify(one.attempt) : null))}::jsonb[]
    ) as e (project_id, module_id, id, state, next_at, due_at, summary, attempt)
    where r.project_id = e.project_id and r.module_id = e.module_id and r.id = e.id and r.state = 'waiting'
    returning r.id`);
  const stored = new Set(rows.map(({ id }) => id));
  await countRuns(db, runCounts(ended.filter(({ id }) => stored.has(id))), now);
  return stored;
}

/** A module without a failure for this long, because it had nothing to do, starts a new series of failures. */
export const failsWithinMs = dayMs;

/** Records since when modules have failed without a success in between. Returns that time for the failing ones. */
export async function recordHealth(
  db: Db,
  ended: readonly Pick<EndedAttempt, 'projectId' | 'moduleId' | 'attempt'>[],
  now: Date,
): Promise<{ projectId: string; moduleId: string; failingSince: Date }[]> {
  const tried = ended.filter(({ attempt }) => attempt !== undefined);
  const modules = [...Map.groupBy(tried, ({ projectId, moduleId }) => `${projectId} ${moduleId}`)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, all]) => ({
      projectId: all[0]?.projectId,
      moduleId: all[0]?.moduleId,
      fails: all.every(({ attempt }) => !attempt?.isOk),
    }));
  if (modules.length === 0) return [];
  const rows = await db.many<{ projectId: string; moduleId: string; failingSince: Date | null }>(sql`
    insert into module_health as h (project_id, module_id, failing_since, failed_at)
    select m.project_id, m.module_id, f.at, f.at
    from unnest(
      ${modules.map(one => one.projectId)}::text[], ${modules.map(one => one.moduleId)}::text[],
      ${modules.map(one => one.fails)}::boolean[]) as m (project_id, module_id, fails)
    join smart_modules s on s.project_id = m.project_id and s.id = m.module_id
    cross join lateral (select case when m.fails then ${now}::timestamptz end as at) f
    on conflict (project_id, module_id) do update set
      failing_since = case when excluded.failing_since is null
          or coalesce(h.failed_at, h.failing_since) < ${new Date(now.getTime() - failsWithinMs)}
        then excluded.failing_since else coalesce(h.failing_since, excluded.failing_since) end,
      failed_at = coalesce(excluded.failed_at, h.failed_at)
    returning project_id as "projectId", module_id as "moduleId", failing_since as "failingSince"`);
  return rows.flatMap(({ failingSince, ...module }) => (failingSince ? [{ ...module, failingSince }] : []));
}
