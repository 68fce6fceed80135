import { isDeltaMade } from '#server/firmware/deltas/requestDeltas.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface Who {
  id: string;
  projectId: string;
  deviceClass: string;
}

/** Version markers of everything that is sent to a device. */
export interface Standing {
  id: string;
  state: string;
  config: string;
  target: string;
  /** A delta to the target is being created; the device gets the target once the delta is ready. */
  isTargetHeld: boolean;
  hasLogRequest: boolean;
}

/** Reads the version markers of many devices with one query, without the values. */
export async function standingsOf(
  db: Db,
  devices: readonly Who[],
  now: Date,
): Promise<Map<string, Standing>> {
  const rows = await db.many<Standing>(sql`
    with asked as (
      select * from unnest(
        ${devices.map(({ projectId }) => projectId)}::text[], ${devices.map(({ deviceClass }) => deviceClass)}::text[],
        ${devices.map(({ id }) => id)}::text[]) as asked (project_id, device_class, id)),
    of_class as (
      select c.project_id, c.device_class, concat(count(k.key), ' ', max(k.updated_at)) as mark
      from (select distinct project_id, device_class from asked) as c
      left join device_class_kv k on k.project_id = c.project_id and k.device_class = c.device_class
      group by c.project_id, c.device_class)
    select asked.id,
      -- What is left to do changes with what is reported, if anything is desired at all.
      concat(s.desired_version, ' ', case when s.desired <> '{}' then s.reported_at end) as state,
      concat(of_class.mark, ' ', own.mark) as config, concat(t.sequence, ' ', t.issue, ' ', t.consent ->> 'at') as target,
      coalesce(t.state = 'waiting' and ${isDeltaMade(sql`t`, now)}, false) as "isTargetHeld",
      exists (
        select from log_requests r
        where r.project_id = asked.project_id and r.device_id = asked.id and r.status = 'requested') as "hasLogRequest"
    from asked
    join of_class on of_class.project_id = asked.project_id and of_class.device_class = asked.device_class
    left join device_states s on s.project_id = asked.project_id and s.device_id = asked.id
    left join device_targets t on t.project_id = asked.project_id and t.device_id = asked.id
    cross join lateral (
      select concat(count(*), ' ', max(k.updated_at)) as mark from device_kv k
      where k.project_id = asked.project_id and k.device_id = asked.id) as own`);
  return new Map(rows.map(row => [row.id, row]));
}
