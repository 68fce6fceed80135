import type { FailureClass } from '#contract/deviceWire.ts';
import { requestDeltas, whoseDeltaIsMade } from '#server/firmware/deltas/requestDeltas.ts';
import { recordOutcomes } from '#server/firmware/outcomes/recordOutcomes.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { integrityTriesMax } from './advance.ts';
import { isBegun, resolved } from './resolveTarget.ts';

interface Assigned {
  deviceId: string;
  rolloutId: string | null;
  state: string;
  failure: FailureClass | null;
  code: string | null;
  error: string | null;
  /** False: the device should run the same bundle as before, for another reason. */
  isOther: boolean;
}

/**
 * Writes what locked devices should run. If the bundle changes, the previous target goes to the history and the
 * sequence increases. A device that already runs the bundle is done; one that failed with it for good is not told
 * again, and one whose download was corrupt has the rest of its tries. Returns the devices to be told now, without those whose delta is still being made.
 */
export async function assignTargets(
  db: Db,
  projectId: string,
  deviceIds: readonly string[],
  now: Date,
): Promise<string[]> {
  if (deviceIds.length === 0) return [];
  const assigned = await db.many<Assigned>(sql`
    with ${differing(sql`d.project_id = ${projectId} and d.id = any(${deviceIds})`, now)},
    ${past(now)},
    told as (
      insert into device_targets as t (project_id, device_id, device_class, sequence, bundle_id, origin, rollout_id,
        assigned_at, state, state_at, failure, code, error, attempts)
      select o.project_id, o.device_id, o.device_class, o.sequence + 1, o.bundle_id, o.origin, o.rollout_id, ${now}, s.state,
        ${now}, case when s.state = 'failed' then u.failure end, case when s.state = 'failed' then u.code end,
        case when s.state = 'failed' then u.error end, case when s.state in ('waiting', 'failed') then coalesce(u.attempts, 0) else 0 end
      from other o
      left join lateral (
        select u.state, u.failure, u.code, u.error, u.attempts from device_updates u
        where u.project_id = o.project_id and u.device_id = o.device_id and u.bundle_id = o.bundle_id
        order by u.sequence desc limit 1) u on u.state in ('failed', 'lost', 'superseded')
      cross join lateral (
        select case when o.bundle_id is null then 'none'
          when o.bundle_id = o.bundle_installed and not o.is_installing then 'done'
          when u.state in ('failed', 'lost')
            and (u.failure = 'final' or u.failure = 'integrity' and u.attempts >= ${integrityTriesMax}) then 'failed'
          else 'waiting' end as state) s
      on conflict (project_id, device_id) do update set sequence = excluded.sequence, bundle_id = excluded.bundle_id,
        origin = excluded.origin, rollout_id = excluded.rollout_id, assigned_at = excluded.assigned_at,
        offered_at = null, state = excluded.state, state_at = excluded.state_at, connected_ms = 0, counted_at = null,
        component = null, percent = null, bytes = 0, delta_bytes = null, waits_for = null, consent = null, failure = excluded.failure, code = excluded.code,
        error = excluded.error, attempts = excluded.attempts, retry_at = null, backoffs = 0, issue = 1
      returning t.device_id, t.rollout_id, t.state, t.failure, t.code, t.error, true as is_other),
    same as (
      update device_targets t set origin = d.origin, rollout_id = d.rollout_id
      from differing d where t.project_id = d.project_id and t.device_id = d.device_id and d.has_target
        and d.bundle_id is not distinct from d.bundle_before
      returning t.device_id, t.rollout_id, t.state, t.failure, t.code, t.error, false)
    select device_id as "deviceId", rollout_id as "rolloutId", state, failure, code, error, is_other as "isOther"
    from (select * from told union all select * from same) as assigned`);
  await recordOutcomes(
    db,
    assigned.flatMap(one => outcomeAtOnce(projectId, one, now) ?? []),
  );
  const changed = assigned.filter(({ isOther }) => isOther).map(({ deviceId }) => deviceId);
  const devices = changed.map(deviceId => ({ projectId, deviceId }));
  const mayHaveDelta = await requestDeltas(db, devices, now);
  if (mayHaveDelta.length === 0) return changed;
  const later = new Set(await whoseDeltaIsMade(db, devices, now));
  return changed.filter(deviceId => !later.has(deviceId));
}

/** The outcome that a rollout gets at once: the device already runs the bundle, or has failed with it for good. */
function outcomeAtOnce(
  projectId: string,
  { deviceId, rolloutId, state, failure, code, error }: Assigned,
  at: Date,
) {
  if (rolloutId === null) return undefined;
  const about = { projectId, rolloutId, deviceId, at };
  if (state === 'done') return { ...about, outcome: 'updated' as const };
  if (state !== 'failed' || (failure !== 'final' && failure !== 'integrity')) return undefined;
  return {
    ...about,
    outcome: 'failed' as const,
    failure,
    ...(code !== null && { code }),
    ...(error !== null && { error }),
  };
}

/** Devices that should run another bundle, or the same one for another reason. */
function differing(which: Sql, now: Date): Sql {
  return sql`
    wanted as (${resolved(which, now)}),
    differing as (
      select w.*, t.device_id is not null as has_target, coalesce(t.sequence, 0) as sequence, t.bundle_id as bundle_before,
        coalesce(${isBegun(sql`t.state`)} and t.state <> 'done', false) as is_installing
      from wanted w
      left join device_targets t on t.project_id = w.project_id and t.device_id = w.device_id
      where (t.bundle_id, t.origin, t.rollout_id) is distinct from (w.bundle_id, w.origin, w.rollout_id)),
    other as (select * from differing where bundle_id is distinct from bundle_before)`;
}

/** Moves the targets of the devices in `other`, which has the bundle they get instead, to the history as they ended. */
export function past(now: Date): Sql {
  return sql`
    past as (
      insert into device_updates (project_id, device_id, sequence, bundle_id, bundle_name, origin, rollout_id,
        assigned_at, offered_at, ended_at, state, failure, code, error, attempts, bytes, delta_bytes, consent)
      select t.project_id, t.device_id, t.sequence, t.bundle_id, coalesce(b.name, t.bundle_id), t.origin, t.rollout_id,
        t.assigned_at, t.offered_at, ${now},
        case when t.state in ('done', 'failed', 'declined', 'lost') then t.state
          when o.bundle_id is null then 'withdrawn' else 'superseded' end,
        t.failure, t.code, t.error, t.attempts, t.bytes, t.delta_bytes, t.consent
      from other o join device_targets t on t.project_id = o.project_id and t.device_id = o.device_id
      left join bundles b on b.project_id = t.project_id and b.id = t.bundle_id
      where t.bundle_id is not null
      on conflict do nothing)`;
}
