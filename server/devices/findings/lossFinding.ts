import { type Finding, findingsMax, namedMax } from '#contract/finding.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { namedDevices } from '#server/devices/fleet/namedDevices.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { inCommon } from './inCommon.ts';
import { usualNow } from './offlineFindings.ts';

const withinMs = 5 * minuteMs;
/** A device that connects for less than this sleeps most of the time: that it is gone says nothing. */
const sessionMinMs = minuteMs;
/** As many devices in five minutes are a loss, even in a fleet that has far more. */
const lostMin = 10;
/** In a large fleet some devices always come and go. */
const lostShareMin = 0.01;
/** The most disconnected devices of each class that are looked at, the latest first. */
const goneMax = 1_000;

interface Row {
  lost: number;
  connected: number;
  before: number;
  from: Date;
  to: Date;
  /** When the latest loss ended, which may be a smaller one. */
  latest: Date;
  ids: string[];
  classes: string[];
}

/**
 * A loss of connection: devices that disconnected within five minutes of the last day and have not returned, if they were
 * at least half of what was connected, or many. Unlike a comparison with the usual number, it needs no record and finds
 * the loss of a small fleet; a fleet that is always off at this time of day is not lost.
 */
export async function lossFinding(db: Db, projectId: string, now: Date): Promise<Finding | undefined> {
  const row = await db.one<Row>(sql`
    with gone as materialized (
      select p.device_id, p.device_class, p.seen_order as at
      from (select distinct device_class from device_counts where project_id = ${projectId}) c
      cross join lateral (
        select device_id, device_class, seen_order from device_presence
        where project_id = ${projectId} and device_class = c.device_class and not suspended
          and seen_order > ${new Date(now.getTime() - dayMs)} and seen_order < 'infinity'
        order by seen_order desc limit ${goneMax}) p
      where not exists (
        select 1 from presence_changes h
        where h.project_id = ${projectId} and h.device_id = p.device_id and h.connected
          and h.at > p.seen_order - ${sessionMinMs} * interval '1 ms' and h.at <= p.seen_order)),
    present as (
      select coalesce(sum(connected), 0)::int as connected from device_counts where project_id = ${projectId}),
    spans as (
      select at, count(*) over within_span as lost,
        (select connected from present) + count(*) over within_span + count(*) over later as before
      from gone
      window within_span as (order by at range between ${withinMs} * interval '1 ms' preceding and current row),
        later as (order by at desc range between unbounded preceding and current row exclude group)),
    loss as (
      select *, max(at) over () as latest from spans
      where lost * 2 >= before or lost >= greatest(${lostMin}, before * ${lostShareMin}::float8)
      order by lost desc, at desc limit 1)
    select l.lost::int, l.before::int, l.latest, (select connected from present), g.*
    from loss l cross join lateral (
      select min(at) as from, max(at) as to, (array_agg(device_id order by at desc))[:${findingsMax}] as ids,
        array_agg(distinct device_class) as classes
      from gone where at <= l.at and at >= l.at - ${withinMs} * interval '1 ms') g`);
  if (!row) return undefined;
  const usual = await usualNow(db, projectId, now);
  if (usual !== undefined && row.connected >= usual) return undefined;
  const [deviceClass] = row.classes;
  const [devices, common] = await Promise.all([
    row.lost <= namedMax ? namedDevices(db, projectId, row.ids) : [],
    inCommon(db, projectId, { deviceIds: row.ids, areGone: true }),
  ]);
  return {
    id: 'lost',
    signal: 'lost',
    count: row.lost,
    since: row.from.toISOString(),
    at: row.latest.toISOString(),
    loss: { before: row.before, connected: row.connected, until: row.to.toISOString() },
    ...(row.classes.length === 1 && { deviceClass }),
    devices,
    causes: [{ text: sentence(row), count: 1 }],
    common,
  };
}

/** "25 of 34 connected devices, within 2 minutes" */
function sentence({ lost, before, from, to }: Row): string {
  const share = `${lost.toLocaleString('en')} of ${before.toLocaleString('en')} connected devices`;
  const minutes = Math.ceil((to.getTime() - from.getTime()) / minuteMs);
  return `${share}, within ${minutes < 2 ? 'a minute' : `${minutes} minutes`}`;
}
