import type { Attempt, ModuleRun } from '#contract/moduleRun.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** A new run. */
export interface NewRun {
  id: string;
  projectId: string;
  moduleId: string;
  state: ModuleRun['state'];
  /** The run's position among the runs of its device. Null: after all existing runs. */
  seq: string | null;
  deviceId: string | null;
  event?: { id: string; ts: Date; name: string } | undefined;
  dueAt?: Date | undefined;
  isTest?: boolean;
  causedBy: readonly string[];
  summary?: string;
  /** For a run that has already ended. */
  attempt?: Attempt;
}

export async function insertRuns(db: Db, runs: readonly NewRun[], now: Date): Promise<void> {
  if (runs.length === 0) return;
  await db.run(sql`
    insert into module_runs
      (project_id, module_id, id, state, seq, device_id, event_id, event_ts, event_name, due_at, is_test, caused_by,
       created_at, summary, attempts, last_at, ms, history)
    select r.project_id, r.module_id, r.id, r.state, coalesce(r.seq, nextval('event_numbers')), r.device_id,
      r.event_id, r.event_ts, r.event_name, r.due_at, r.is_test,
      array(select json_array_elements_text(r.caused_by::json)), ${now}, r.summary,
      (r.attempt is not null)::int, (r.attempt ->> 'at')::timestamptz, (r.attempt ->> 'ms')::real,
      case when r.attempt is null then '[]' else jsonb_build_array(r.attempt) end
    from unnest(
      ${runs.map(run => run.projectId)}::text[], ${runs.map(run => run.moduleId)}::text[],
      ${runs.map(run => run.id)}::text[], ${runs.map(run => run.state)}::text[], ${runs.map(run => run.seq)}::bigint[],
      ${runs.map(run => run.deviceId)}::text[], ${runs.map(run => run.event?.id ?? null)}::text[],
      ${runs.map(run => run.event?.ts ?? null)}::timestamptz[], ${runs.map(run => run.event?.name ?? null)}::text[],
      ${runs.map(run => run.dueAt ?? null)}::timestamptz[], ${runs.map(run => run.isTest ?? false)}::boolean[],
      ${runs.map(run => JSON.stringify(run.causedBy))}::text[], ${runs.map(run => run.summary ?? '')}::text[],
      ${runs.map(run => (run.attempt ? JSON.stringify(run.attempt) : null))}::jsonb[]
    ) as r (project_id, module_id, id, state, seq, device_id, event_id, event_ts, event_name, due_at, is_test,
      caused_by, summary, attempt)`);
}
