import { type Finding, namedMax } from '#contract/finding.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** The tolerance around the time of day, because fleets are not punctual. */
const aroundMs = 30 * minuteMs;
/** If fewer devices are missing, that says nothing about the fleet. */
const missingMin = 10;
/** Below this share of the usual number of connected devices, a fleet needs attention. */
const usualShare = 0.8;
/** The most disconnected devices that are skipped to find out when the drop began. */
const goneMax = 1_000;

interface Row {
  /** The class `''` stands for the whole project. */
  deviceClass: string;
  connected: number;
  usual: number;
  /** False on the first recorded day, when `usual` is the maximum so far. */
  isOfThisHour: boolean;
  lastUsual: Date;
  /** When a tenth of the missing devices had disconnected; null if unknown, as for a whole project. */
  wentAt: Date | null;
}

/**
 * Finds many devices that disconnected at once, in the whole fleet or else in a class: thirty silent gateways are few
 * among thousands of devices. The usual number is that of this time of day yesterday or a week ago, whichever is lower,
 * so that fleets that sleep at night or at the weekend cause no finding. Deleted and suspended devices are not missing.
 */
export async function offlineFindings(db: Db, projectId: string, now: Date): Promise<Finding[]> {
  const ago = (days: number, plusMs: number) => new Date(now.getTime() - days * dayMs + plusMs);
  const rows = await db.many<Row>(sql`
    with history as materialized (
      select device_class, at, connected::float8 as connected, coalesce(high, connected)::float8 as high,
        at < ${ago(1, aroundMs)} as is_of_this_hour
      from connected_history where project_id = ${projectId}
        and (at > ${ago(1, -aroundMs)} or at > ${ago(7, -aroundMs)} and at < ${ago(7, aroundMs)})),
    past as (
      select device_class, bool_or(is_of_this_hour) as is_of_this_hour,
        coalesce(min(connected) filter (where is_of_this_hour), max(high)) as connected
      from history group by device_class),
    present as (
      select coalesce(device_class, '') as device_class, coalesce(sum(connected), 0)::float8 as connected,
        coalesce(sum(claimed + unclaimed - suspended), 0)::float8 as devices
      from device_counts where project_id = ${projectId} group by grouping sets ((), (device_class))),
    fleets as (
      select p.device_class, p.connected, least(h.connected, p.devices) as usual, h.is_of_this_hour
      from present p join past h using (device_class))
    select device_class as "deviceClass", connected, usual, is_of_this_hour as "isOfThisHour",
      last_usual as "lastUsual", (
        select seen_at from device_presence
        where project_id = ${projectId} and device_class = f.device_class
          and seen_order > last_usual and seen_order < 'infinity'
        order by seen_order offset least(${goneMax}, (usual - connected) / 10) limit 1) as "wentAt"
    from fleets f cross join lateral (
      select max(at) as last_usual from history h
      where h.device_class = f.device_class and h.high >= f.usual * ${usualShare}) l
    where usual - connected >= ${missingMin} and connected < usual * ${usualShare}
    order by device_class <> '', usual - connected desc, device_class limit ${1 + namedMax}`);
  const [first] = rows;
  if (first?.deviceClass === '') return [findingOf(first, rows.slice(1))];
  return rows.slice(0, namedMax).map(row => findingOf(row));
}

/** The lowest number of connected devices at this time of day, yesterday and a week ago; undefined if not on record. */
export async function usualNow(db: Db, projectId: string, now: Date): Promise<number | undefined> {
  const ago = (days: number, plusMs: number) => new Date(now.getTime() - days * dayMs + plusMs);
  const row = await db.one<{ usual: number | null }>(sql`
    select min(connected)::float8 as usual from connected_history
    where project_id = ${projectId} and device_class = ''
      and (at > ${ago(1, -aroundMs)} and at < ${ago(1, aroundMs)} or at > ${ago(7, -aroundMs)} and at < ${ago(7, aroundMs)})`);
  return row?.usual ?? undefined;
}

function findingOf(row: Row, classes: readonly Row[] = []): Finding {
  const { deviceClass, connected, usual, lastUsual } = row;
  const went = [row, ...classes].flatMap(({ wentAt }) => wentAt ?? []);
  const at = (went.sort((a, b) => a.getTime() - b.getTime())[0] ?? lastUsual).toISOString();
  return {
    id: `offline:${deviceClass}`,
    signal: 'offline',
    count: usual - connected,
    since: at,
    at,
    devices: [],
    common: [],
    ...(deviceClass !== '' && { deviceClass }),
    causes: [row, ...classes].map(one => ({ text: sentence(one, one === row), count: 1 })),
  };
}

function sentence({ deviceClass, connected, usual, isOfThisHour }: Row, isWhole: boolean): string {
  const [are, were] = [connected, usual].map(count => count.toLocaleString('en'));
  const ofClass = deviceClass && `${deviceClass}: `;
  if (!isWhole) return `${ofClass}${are} of ${were}`;
  return `${ofClass}${are} connected now, ${isOfThisHour ? `usually at least ${were} at this time of day` : `up to ${were} before`}`;
}
