import { type FailureClass, updateCodes } from '#contract/deviceWire.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';

export interface Outcome {
  projectId: string;
  rolloutId: string;
  deviceId: string;
  /**
   * Null takes back an outcome, because the update starts again. A transient failure is not an outcome: the device
   * keeps trying. `left`: the device was pinned or moved to another channel.
   */
  outcome: 'updated' | 'failed' | 'unable' | 'declined' | 'left' | null;
  failure?: FailureClass | undefined;
  code?: string | undefined;
  /** The error message of the device. */
  error?: string | undefined;
  at: Date;
}

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    advanceRollout: { projectId: string; rolloutId: string };
  }
}

/**
 * Records the outcomes of devices in rollouts. A later outcome corrects an earlier one: lost → updated, unable →
 * updated, null when an update starts again. A device that leaves keeps an earlier result, and a retry does not take
 * back `updated`. Idempotent. After a failure, the rollout is advanced at once, not within the next minute.
 */
export async function recordOutcomes(db: Db, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const last = [...new Map(outcomes.map(one => [`${one.rolloutId} ${one.deviceId}`, one])).values()];
  // Rows are locked in key order, so that two batches do not deadlock.
  const noted = await db.many<{ projectId: string; rolloutId: string; outcome: Outcome['outcome'] }>(sql`
    with said as (
      select * from unnest(
        ${last.map(one => one.projectId)}::text[], ${last.map(one => one.rolloutId)}::text[],
        ${last.map(one => one.deviceId)}::text[], ${last.map(one => one.outcome)}::text[],
        ${last.map(classOf)}::text[], ${last.map(one => one.code ?? null)}::text[],
        ${last.map(one => one.error ?? null)}::text[], ${last.map(one => one.at)}::timestamptz[]
      ) as s (project_id, rollout_id, device_id, outcome, failure, code, error, at)),
    there as (
      select d.project_id, d.rollout_id, d.device_id from rollout_devices d join said using (project_id, rollout_id, device_id)
      where d.admitted_at is not null
      order by d.project_id, d.rollout_id, d.device_id for no key update of d)
    update rollout_devices d set outcome = s.outcome, failure = s.failure, code = s.code, error = s.error,
      settled_at = case when s.outcome is null then null else s.at end
    from said s join there using (project_id, rollout_id, device_id)
    where d.project_id = s.project_id and d.rollout_id = s.rollout_id and d.device_id = s.device_id
      and (d.outcome, d.code) is distinct from (s.outcome, s.code)
      and (s.outcome is not null or d.outcome <> 'updated')
      and (s.outcome is distinct from 'left' or d.outcome is null or d.outcome in ('unable', 'declined'))
    returning d.project_id as "projectId", d.rollout_id as "rolloutId", d.outcome`);
  await forgetFinalCounts(db, noted);
  const failed = noted.filter(({ outcome }) => outcome === 'failed');
  const rollouts = new Map(failed.map(({ projectId, rolloutId }) => [rolloutId, { projectId, rolloutId }]));
  for (const rollout of rollouts.values())
    await enqueue(db, 'advanceRollout', rollout, { key: `advance ${rollout.rolloutId}` });
}

/** A rollout that has ended gets other figures when a device finishes, or returns, afterwards. */
async function forgetFinalCounts(
  db: Db,
  noted: readonly Pick<Outcome, 'projectId' | 'rolloutId'>[],
): Promise<void> {
  const rollouts = [...new Map(noted.map(one => [one.rolloutId, one])).values()];
  if (rollouts.length === 0) return;
  await db.run(sql`
    with kept as (
      select r.project_id, r.id
      from unnest(${rollouts.map(one => one.projectId)}::text[], ${rollouts.map(one => one.rolloutId)}::text[])
        as changed (project_id, id)
      join rollouts r on r.project_id = changed.project_id and r.id = changed.id and r.final_counts is not null
      order by r.project_id, r.id for no key update of r)
    update rollouts r set final_counts = null from kept k where r.project_id = k.project_id and r.id = k.id`);
}

/** A code that the device defines itself is final. */
function classOf({ outcome, failure, code = '' }: Outcome): FailureClass | null {
  if (outcome === null || outcome === 'updated' || outcome === 'left') return null;
  const known: Readonly<Record<string, FailureClass>> = updateCodes;
  return failure ?? (Object.hasOwn(known, code) ? known[code] : undefined) ?? 'final';
}
