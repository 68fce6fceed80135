import { raw, type Sql, sql } from '#server/infra/db/sql.ts';

/** From these states on, a device finishes what it began, whatever happens to its rollout. */
const begun = ['installing', 'rebooting', 'confirming', 'done'] as const;
export const isBegun = (state: Sql) => sql`${state} in (${raw(begun.map(one => `'${one}'`).join(', '))})`;

/**
 * What devices should run, computed from stored data: their pin, else the last rollout of their channel that admitted
 * them and is due, else the bundle of the channel, else nothing. `which` is a condition on `devices d`.
 *
 * A paused rollout keeps devices that were updated, that failed, or that began to install; the others go back. A
 * stopped one keeps devices that were updated or that finish installing, until the channel is pointed elsewhere: then
 * it is superseded. After a finished or superseded rollout, the channel decides.
 */
export function resolved(which: Sql, now: Date): Sql {
  return sql`
    select d.project_id, d.id as device_id, d.device_class, d.bundle_installed, c.id as channel_id,
      coalesce(d.bundle_pinned, r.bundle_id, c.bundle_id) as bundle_id,
      case when d.bundle_pinned is not null then 'pin' when r.bundle_id is not null then 'rollout'
        when c.bundle_id is not null then 'channel' end as origin,
      case when d.bundle_pinned is null then r.rollout_id end as rollout_id
    from devices d
    left join channels c on c.project_id = d.project_id and c.device_class = d.device_class
      and c.name = coalesce(d.channel_followed, 'stable')
    left join lateral (
      select case when not o.is_over then o.bundle_id end as bundle_id, case when not o.is_over then o.id end as rollout_id
      from rollout_devices a
      join rollouts o_ on o_.project_id = a.project_id and o_.id = a.rollout_id and o_.channel_id = c.id
      left join device_targets t on t.project_id = d.project_id and t.device_id = d.id and t.rollout_id = o_.id
      cross join lateral (
        select o_.id, o_.bundle_id, o_.started_at, o_.state in ('finished', 'superseded') as is_over,
          case o_.state when 'running' then true
            when 'paused' then a.outcome in ('updated', 'failed') or ${isBegun(sql`t.state`)}
            when 'stopped' then a.outcome = 'updated' or ${isBegun(sql`t.state`)} end as is_held) o
      where a.project_id = d.project_id and a.device_id = d.id and a.due_at <= ${now}
        and a.outcome is distinct from 'left' and (o.is_over or o.is_held)
      order by o.started_at desc nulls last, o.id desc limit 1) r on true
    where ${which}`;
}
