import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { followsChannel } from './eligible.ts';
import type { RolloutRecord } from './store.ts';

/** Number of devices of each group that are compared, latest first. */
const sampleMax = 1_000;

interface Share {
  hits: number;
  total: number;
}

export interface Compared {
  updated: Share;
  others: Share;
}

interface Question {
  /** How long after its update a device is checked. */
  minutes: number;
  /** Condition on a device `a` that was connected at `a.at`; `until` is the end of the period. */
  isHit: (until: Sql) => Sql;
}

/**
 * Whether a device `a` was connected at a time: the last change before it; else the opposite of the next change; else
 * the current status.
 */
const wasConnected = (time: Sql) => sql`
  coalesce(
    (select p.connected from presence_changes p
      where p.project_id = a.project_id and p.device_id = a.device_id and p.at <= ${time}
      order by p.at desc, p.number desc limit 1),
    (select not p.connected from presence_changes p
      where p.project_id = a.project_id and p.device_id = a.device_id and p.at > ${time}
      order by p.at, p.number limit 1),
    (select s.seen_at = 'infinity' from device_presence s
      where s.project_id = a.project_id and s.device_id = a.device_id), false)`;

/** Presence: disconnected ten minutes after the update. */
export const wasAway: Question = { minutes: 10, isHit: until => sql`not ${wasConnected(until)}` };

/** Reboots: reconnected after a connection that had ended uncleanly. */
export const cameBackUncleanly: Question = {
  minutes: 30,
  isHit: until => sql`exists (
    select from presence_changes p
    where p.project_id = a.project_id and p.device_id = a.device_id and p.at > a.at and p.at <= ${until}
      and not p.connected and p.reason in ('LOST', 'SILENT')
      and exists (
        select from presence_changes n
        where n.project_id = p.project_id and n.device_id = p.device_id and n.connected
          and (n.at, n.number) > (p.at, p.number) and n.at <= ${until}))`,
};

/**
 * Compares updated devices with devices of the channel that were not admitted, at the same times, because a network
 * failure affects both groups. Counts only devices that were connected at the time of the update.
 */
export async function compare(
  db: Db,
  row: RolloutRecord,
  { minutes, isHit }: Question,
  now: Date,
): Promise<Compared> {
  const window = sql`make_interval(mins => ${minutes})`;
  const rows = await db.many<{ isUpdated: boolean; hits: number; total: number }>(sql`
    with updated as (
      select project_id, device_id, settled_at as at, row_number() over () - 1 as n, count(*) over () as of
      from (
        select project_id, device_id, settled_at from rollout_devices
        where project_id = ${row.projectId} and rollout_id = ${row.id} and outcome = 'updated'
          and settled_at >= ${row.gatesFrom ?? row.createdAt} and settled_at <= ${now}::timestamptz - ${window}
        order by settled_at desc limit ${sampleMax}) latest),
    others as (
      select d.project_id, d.id as device_id, row_number() over () - 1 as n
      from rollouts r join channels c on c.project_id = r.project_id and c.id = r.channel_id
      join devices d on ${followsChannel}
      where r.project_id = ${row.projectId} and r.id = ${row.id} and exists (select from updated) and not exists (
        select from rollout_devices x
        where x.project_id = r.project_id and x.rollout_id = r.id and x.device_id = d.id and x.admitted_at is not null)
      limit ${sampleMax}),
    asked as (
      select project_id, device_id, at, true as "isUpdated" from updated
      union all
      select o.project_id, o.device_id, u.at, false from others o join updated u on u.n = o.n % u.of)
    select "isUpdated", count(*) filter (where ${isHit(sql`a.at + ${window}`)})::int as hits, count(*)::int as total
    from asked a where ${wasConnected(sql`a.at`)} group by 1`);
  const share = (isUpdated: boolean) =>
    rows.find(one => one.isUpdated === isUpdated) ?? { hits: 0, total: 0 };
  return { updated: share(true), others: share(false) };
}
