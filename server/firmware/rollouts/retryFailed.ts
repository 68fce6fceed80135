import { Problem } from '#contract/problem.ts';
import { recordEvents } from '#server/firmware/outcomes/recordEvents.ts';
import { retryTargets } from '#server/firmware/targets/retryTargets.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { By } from './actOn.ts';
import type { RolloutRecord } from './store.ts';

/** Limit per call; there can be more only if no gate is on. */
const retriedMax = 5_000;

/**
 * Makes those devices of a running rollout try again that failed, were unable or declined, as if they had not tried
 * yet. Returns these devices.
 */
export async function retryFailed(
  db: Db,
  { projectId, id: rolloutId, state }: RolloutRecord,
  { actor, reason, now }: By,
): Promise<string[]> {
  if (state !== 'running') throw new Problem('ROLLOUT_STATE');
  const rows = await db.many<{ id: string }>(sql`
    select a.device_id as id from rollout_devices a
    join device_targets t on t.project_id = a.project_id and t.device_id = a.device_id and t.rollout_id = a.rollout_id
    where a.project_id = ${projectId} and a.rollout_id = ${rolloutId}
      and a.outcome in ('failed', 'unable', 'declined') and a.admitted_at is not null
    order by a.device_id limit ${retriedMax}`);
  const told = await retryTargets(db, { projectId, deviceIds: rows.map(({ id }) => id) }, now);
  const devices = `${told.length.toLocaleString('en')} ${told.length === 1 ? 'device' : 'devices'} told to try again`;
  const text = reason ? `${devices}: ${reason}` : `${devices}.`;
  await recordEvents(db, [{ projectId, rolloutId, kind: 'retried', text, actor, at: now }]);
  return told;
}
