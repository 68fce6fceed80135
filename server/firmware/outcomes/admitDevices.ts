import { type Db, sql } from '#server/infra/db/sql.ts';

interface Rollout {
  projectId: string;
  id: string;
}

/** Locks devices in id order, like all code that decides what devices run. */
export async function lockDevices(db: Db, projectId: string, ids: readonly string[]): Promise<void> {
  await db.run(sql`
    select from devices where project_id = ${projectId} and id = any(${ids}) order by id for no key update`);
}

/** Admits locked devices. The offer to each is due after a random part of the delay. */
export async function admitDevices(
  db: Db,
  { projectId, id, step, delayS }: Rollout & { step: number; delayS: number },
  deviceIds: readonly string[],
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into rollout_devices as d (project_id, rollout_id, device_id, step, admitted_at, due_at)
    select ${projectId}, ${id}, device_id, ${step}, ${now}, ${now}::timestamptz + random() * make_interval(secs => ${delayS})
    from unnest(${deviceIds}::text[]) as device_id order by device_id
    on conflict (project_id, rollout_id, device_id) do update
      set step = excluded.step, admitted_at = excluded.admitted_at, due_at = excluded.due_at, outcome = null,
        settled_at = null, failure = null, code = null, error = null
      where d.admitted_at is null`);
}

/** Withdraws admissions. The devices keep their rows, so that they go first when the rollout continues. */
export async function withdrawDevices(
  db: Db,
  { projectId, id }: Rollout,
  deviceIds: readonly string[],
): Promise<void> {
  await db.run(sql`
    update rollout_devices set admitted_at = null, due_at = null, outcome = null, settled_at = null
    where project_id = ${projectId} and rollout_id = ${id} and device_id = any(${deviceIds})`);
}

export interface ProgressSample {
  admitted: number;
  updated: number;
  active: number;
  failed: number;
}

/** Records the progress of a rollout, if it differs from the last sample. */
export async function sampleProgress(
  db: Db,
  { projectId, id }: Rollout,
  { admitted, updated, active, failed }: ProgressSample,
  now: Date,
): Promise<boolean> {
  const added = await db.run(sql`
    insert into rollout_progress (project_id, rollout_id, at, admitted, updated, active, failed)
    select ${projectId}, ${id}, ${now}, ${admitted}::int, ${updated}::int, ${active}::int, ${failed}::int
    where (${admitted}::int, ${updated}::int, ${active}::int, ${failed}::int) is distinct from (
      select row(p.admitted, p.updated, p.active, p.failed) from rollout_progress p
      where p.project_id = ${projectId} and p.rollout_id = ${id} order by p.at desc limit 1)
    on conflict (project_id, rollout_id, at) do nothing`);
  return added > 0;
}
