import type { Channel } from '#contract/channel.ts';
import { movingStates } from '#contract/deviceWire.ts';
import { channelKey, followsChannel, isChangedByIt, placeBelow } from '#server/firmware/rollouts/eligible.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';

/** A device that was admitted by the rollout `r` and still belongs to it. */
const isAdmitted = sql`(a.admitted_at is not null and a.outcome is distinct from 'left')`;

/** What a device should run at the moment. */
const wanted = sql`case when ${isAdmitted} then r.bundle_id else c.bundle_id end`;

/** A device that is updating to the bundle `to`. Installing goes on while it is disconnected, because it restarts. */
const isUpdatingTo = (to: Sql) => sql`
  (t.bundle_id = ${to} and (t.state in ('installing', 'rebooting', 'confirming')
    or s.seen_at = 'infinity' and (t.state = any(${movingStates}::text[]) or t.state = 'waiting')))`;

/** Where a device that its rollout has admitted stands. */
const partOfAdmitted = sql`case when a.outcome = 'failed' then 'failed' when a.outcome in ('unable', 'declined') then 'unable'
  when a.outcome is not null then 'other'
  when ${isUpdatingTo(sql`r.bundle_id`)} or s.seen_at = 'infinity' then 'updating' else 'waiting' end`;

/** Where one that its rollout may still admit stands: by the step that includes its place. */
const partOfOthers = sql`case when not (${followsChannel}) or not (${isChangedByIt}) then 'leftOut'
  when r.state = 'draft' and (a.device_id is not null or w.step = 0) then 'nextStep'
  when r.state = 'draft' then 'laterSteps'
  when a.device_id is not null or w.step <= r.step then 'thisStep'
  when w.step = r.step + 1 then 'nextStep' else 'laterSteps' end`;

/**
 * The devices of a channel, each with the `part` of the channel that it belongs to, whether it runs what the channel
 * points at (`is_current`), and whether it is `is_off` target: it does not run what it should, and is not updating.
 */
export function standing({ projectId, id }: Pick<Channel, 'projectId' | 'id'>): Sql {
  return sql`
    select d.id, d.tag, d.name, d.bundle_installed, d.bundle_pinned, d.suspended, s.seen_at, t.bundle_id as target,
      t.state, t.state_at, t.failure, t.code, t.error, t.attempts, t.retry_at, k.part, k.wanted,
      c.bundle_id is not null and d.bundle_installed = c.bundle_id as is_current,
      k.wanted is not null and d.bundle_installed is distinct from k.wanted
        and k.part not in ('neverConnected', 'updating') as is_off
    from channels c join devices d
      on d.project_id = c.project_id and d.device_class = c.device_class and d.channel = ${channelKey}
    left join rollouts r on r.project_id = c.project_id and r.channel_id = c.id and r.state in ('draft', 'running', 'paused')
    left join device_presence s on s.project_id = d.project_id and s.device_id = d.id
    left join device_targets t on t.project_id = d.project_id and t.device_id = d.id
    left join rollout_devices a on a.project_id = r.project_id and a.rollout_id = r.id and a.device_id = d.id
    left join lateral (
      select min(p.at)::int - 1 as step
      from jsonb_array_elements(r.steps) with ordinality as p (step, at)
      where ${placeBelow(sql`(p.step ->> 'percent')::float8`)}) w on r.id is not null
    cross join lateral (
      select ${wanted} as wanted,
        case when d.bundle_installed = coalesce(r.bundle_id, c.bundle_id) then 'updated'
          when s.seen_at is null then 'neverConnected'
          when ${isAdmitted} then ${partOfAdmitted}
          when r.id is not null then ${partOfOthers}
          when ${isUpdatingTo(sql`c.bundle_id`)} then 'updating'
          else 'other' end as part) k
    where c.project_id = ${projectId} and c.id = ${id}`;
}
