import { type Db, sql } from '#server/infra/db/sql.ts';
import { followsChannel, isChangedByIt, placeBelow } from './eligible.ts';
import type { RolloutRecord } from './store.ts';

/** Number of devices that one call of `advanceRollout` admits, offers or sends back at most. */
export const batchMax = 2_000;
/** Slightly less than a minute, because the job does not run exactly once a minute. */
const rateWindowS = 55;

/** How many devices may be admitted now. */
export async function roomOf(db: Db, { projectId, id, rate }: RolloutRecord, now: Date): Promise<number> {
  if (rate === null) return batchMax;
  const admitted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from rollout_devices
    where project_id = ${projectId} and rollout_id = ${id}
      and admitted_at > ${now}::timestamptz - make_interval(secs => ${rateWindowS})`);
  return Math.min(batchMax, Math.max(0, rate - (admitted?.count ?? 0)));
}

/**
 * Devices that the current step includes and that are not admitted yet: first those that were chosen or were admitted
 * before a pause, then by place.
 */
export async function nextDevices(
  db: Db,
  { projectId, id, step, steps }: RolloutRecord,
  limit: number,
): Promise<string[]> {
  const percent = steps[step]?.percent ?? 0;
  const rows = await db.many<{ id: string }>(sql`
    select d.id from rollouts r join channels c on c.project_id = r.project_id and c.id = r.channel_id
    join devices d on ${followsChannel}
    left join device_targets t on t.project_id = d.project_id and t.device_id = d.id
    left join rollout_devices a on a.project_id = r.project_id and a.rollout_id = r.id and a.device_id = d.id
    where r.project_id = ${projectId} and r.id = ${id} and a.admitted_at is null and ${isChangedByIt}
      and (a.device_id is not null or ${placeBelow(sql`${percent}::float8`)})
    order by a.device_id is null, rollout_place(r.id, d.id), d.id limit ${limit}`);
  return rows.map(one => one.id);
}

/** Admitted devices whose offer is due, but that do not have the bundle as their target yet. */
export async function dueDevices(db: Db, { projectId, id }: RolloutRecord, now: Date): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select a.device_id as id from rollouts r join channels c on c.project_id = r.project_id and c.id = r.channel_id
    join rollout_devices a on a.project_id = r.project_id and a.rollout_id = r.id
      and a.outcome is null and a.due_at <= ${now}
    join devices d on d.id = a.device_id and ${followsChannel}
    left join device_targets t on t.project_id = d.project_id and t.device_id = d.id
    where r.project_id = ${projectId} and r.id = ${id}
      and (t.bundle_id, t.rollout_id) is distinct from (r.bundle_id, r.id)
    order by a.device_id limit ${batchMax}`);
  return rows.map(one => one.id);
}

/** Admitted devices that have not started installing. */
export async function notBegun(db: Db, { projectId, id }: RolloutRecord): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select a.device_id as id from rollout_devices a
    left join device_targets t on t.project_id = a.project_id and t.device_id = a.device_id and t.rollout_id = a.rollout_id
    where a.project_id = ${projectId} and a.rollout_id = ${id} and a.admitted_at is not null
      and (a.outcome is null or a.outcome in ('unable', 'declined'))
      and (t.state is null or t.state not in ('installing', 'rebooting', 'confirming', 'done'))
    order by a.device_id limit ${batchMax}`);
  return rows.map(one => one.id);
}

/** Devices that failed and still have the bundle as their target. */
export async function failedOf(db: Db, { projectId, id }: RolloutRecord): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select a.device_id as id from rollout_devices a
    join device_targets t on t.project_id = a.project_id and t.device_id = a.device_id and t.rollout_id = a.rollout_id
    where a.project_id = ${projectId} and a.rollout_id = ${id} and a.outcome = 'failed'
      and t.state not in ('installing', 'rebooting', 'confirming', 'done')
    order by a.device_id limit ${batchMax}`);
  return rows.map(one => one.id);
}

/** Devices that left and follow the channel again. */
export async function whoReturned(db: Db, { projectId, id }: RolloutRecord): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select a.device_id as id from rollouts r join channels c on c.project_id = r.project_id and c.id = r.channel_id
    join rollout_devices a on a.project_id = r.project_id and a.rollout_id = r.id and a.outcome = 'left'
    join devices d on d.id = a.device_id and ${followsChannel}
    where r.project_id = ${projectId} and r.id = ${id} order by a.device_id limit ${batchMax}`);
  return rows.map(one => one.id);
}
