import { hourMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

export interface RunCount {
  projectId: string;
  moduleId: string;
  done: number;
  failed: number;
  held: number;
  dropped: number;
}

/** Counts runs per module, by the state in which they ended. */
export function runCounts(
  runs: readonly { projectId: string; moduleId: string; state: string; by?: number }[],
): RunCount[] {
  const counts = new Map<string, RunCount>();
  for (const { projectId, moduleId, state, by = 1 } of runs) {
    const key = `${projectId} ${moduleId}`;
    const known = counts.get(key) ?? { projectId, moduleId, done: 0, failed: 0, held: 0, dropped: 0 };
    if (state === 'done' || state === 'failed' || state === 'held' || state === 'dropped') known[state] += by;
    counts.set(key, known);
  }
  // Sorted by key, so that two processes that update the same rows do not deadlock.
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

/** Adds to the counts of this hour, for modules that still exist. */
export async function countRuns(db: Db, counts: readonly RunCount[], now: Date): Promise<void> {
  const some = counts.filter(({ done, failed, held, dropped }) => done + failed + held + dropped > 0);
  if (some.length === 0) return;
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  await db.run(sql`
    insert into module_hours as h
      (project_id, module_id, hour, done, failed, held, dropped, last_at, last_failed_at)
    select c.project_id, c.module_id, ${hour}, c.done, c.failed, c.held, c.dropped,
      case when c.done + c.failed > 0 then ${now}::timestamptz end, case when c.failed > 0 then ${now}::timestamptz end
    from unnest(
      ${some.map(count => count.projectId)}::text[], ${some.map(count => count.moduleId)}::text[],
      ${some.map(count => count.done)}::bigint[], ${some.map(count => count.failed)}::bigint[],
      ${some.map(count => count.held)}::bigint[], ${some.map(count => count.dropped)}::bigint[]
    ) as c (project_id, module_id, done, failed, held, dropped)
    join smart_modules s on s.project_id = c.project_id and s.id = c.module_id
    on conflict (project_id, module_id, hour) do update set
      done = h.done + excluded.done, failed = h.failed + excluded.failed, held = h.held + excluded.held,
      dropped = h.dropped + excluded.dropped, last_at = coalesce(excluded.last_at, h.last_at),
      last_failed_at = coalesce(excluded.last_failed_at, h.last_failed_at)`);
}
