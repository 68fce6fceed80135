import { type Finding, findingsMax, namedMax } from '#contract/finding.ts';
import { neverCount } from '#server/devices/devices/list/counters.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/**
 * Devices that never connected, newest first, without those that send messages by HTTP calls. If there are such devices
 * among the newest, only these newest are counted.
 */
export async function neverFinding(db: Db, projectId: string): Promise<Finding | undefined> {
  const rows = await db.many<Finding['devices'][number] & { at: Date; count: number }>(sql`
    with counted as materialized (select ${neverCount({ projectId })} as count),
    newest as materialized (
      select device_id, last_message_at is null as is_silent from device_presence
      where (select count from counted) > 0
        and project_id = ${projectId} and seen_order = '-infinity' and not suspended
      order by device_id desc limit ${findingsMax}),
    total as (
      select case when bool_and(is_silent) then (select count from counted)
        else (count(*) filter (where is_silent))::float8 end as count from newest)
    select d.id, d.name, d.tag, d.created_at as at, total.count
    from (select device_id from newest where is_silent order by device_id desc limit ${namedMax}) s
    join devices d on d.project_id = ${projectId} and d.id = s.device_id
    cross join total
    order by d.id desc`);
  const [newest] = rows;
  if (!newest) return undefined;
  const at = newest.at.toISOString();
  const devices = rows.map(({ id, name, tag }) => ({ id, name, tag }));
  return {
    id: 'never',
    signal: 'never',
    count: newest.count,
    since: at,
    at,
    devices,
    causes: [],
    common: [],
  };
}
