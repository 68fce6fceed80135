import { recordOutcomes } from '#server/firmware/outcomes/recordOutcomes.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** Removes devices that were pinned or moved to another channel from the counts of the rollouts that admitted them. */
export async function recordLeft(
  db: Db,
  projectId: string,
  deviceIds: readonly string[],
  now: Date,
): Promise<void> {
  const left = await db.many<{ rolloutId: string; deviceId: string }>(sql`
    select a.rollout_id as "rolloutId", a.device_id as "deviceId"
    from rollout_devices a
    join rollouts r on r.project_id = a.project_id and r.id = a.rollout_id and r.state in ('running', 'paused')
    join channels c on c.project_id = r.project_id and c.id = r.channel_id
    join devices d on d.project_id = a.project_id and d.id = a.device_id
    where a.project_id = ${projectId} and a.device_id = any(${deviceIds}) and a.admitted_at is not null
      and a.outcome is null and (d.bundle_pinned is not null or c.name <> coalesce(d.channel_followed, 'stable'))`);
  await recordOutcomes(
    db,
    left.map(one => ({ projectId, ...one, outcome: 'left' as const, at: now })),
  );
}
