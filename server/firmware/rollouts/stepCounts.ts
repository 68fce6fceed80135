import type { StepCounts } from '#rules/firmware/rolloutCourse.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { RolloutRecord } from './store.ts';

/**
 * Counts the devices of the current step. Reached are those with a result, those connected, and those that are
 * installing, because a device is disconnected while it restarts. Devices that left are not counted.
 */
export async function stepCounts(
  db: Db,
  { projectId, id }: RolloutRecord,
  { isMoreToAdmit, now }: { isMoreToAdmit: boolean; now: Date },
): Promise<StepCounts> {
  const seen = await db.one<StepCounts>(sql`
    select count(*)::int as admitted, count(*) filter (where a.outcome is not null)::int as settled,
      count(*) filter (where a.outcome is not null or s.seen_at = 'infinity'
        or t.rollout_id = r.id and t.state in ('installing', 'rebooting', 'confirming'))::int as reached,
      count(*) filter (where a.outcome is null and a.due_at > ${now})::int as remaining
    from rollouts r join rollout_devices a on a.project_id = r.project_id and a.rollout_id = r.id
      and a.step = r.step and a.admitted_at is not null and a.outcome is distinct from 'left'
    left join device_targets t on a.outcome is null and t.project_id = a.project_id and t.device_id = a.device_id
    left join device_presence s on a.outcome is null and s.project_id = a.project_id and s.device_id = a.device_id
    where r.project_id = ${projectId} and r.id = ${id}`);
  if (!seen) throw new Error('A count has one row.');
  return { ...seen, remaining: seen.remaining + (isMoreToAdmit ? 1 : 0) };
}
