import { type Db, join, type Sql, sql } from '#server/infra/db/sql.ts';
import { type EventSource, eventSources, type StoredEvent } from '#server/modules/events/eventSources.ts';
import type { EventDevice } from '#server/modules/smartModules/moduleType.ts';

const pageMax = 1000;

/** The next devices of these classes, or of all, in id order. */
export async function devicesAfter(
  db: Db,
  given: { projectId: string; deviceClasses: readonly string[]; after: string; limit: number },
): Promise<EventDevice[]> {
  const { projectId, deviceClasses, after, limit } = given;
  const rows = await db.many<
    Omit<EventDevice, 'homeId' | 'since'> & { homeId: string | null; since: Date | null }
  >(sql`
    select d.id, d.tag, d.name, d.device_class as "deviceClass", d.home_id::text as "homeId",
      (p.seen_at = 'infinity') is true as connected, p.since
    from devices d left join device_presence p on p.project_id = d.project_id and p.device_id = d.id
    where d.project_id = ${projectId} and d.id > ${after}
      and (cardinality(${deviceClasses}::text[]) = 0 or d.device_class = any(${deviceClasses}::text[]))
    order by d.id limit ${limit}`);
  return rows.map(({ homeId, since, ...row }) => ({
    ...row,
    homeId: homeId ?? undefined,
    since: since ?? undefined,
  }));
}

export async function countDevices(
  db: Db,
  projectId: string,
  deviceClasses: readonly string[],
): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from devices
    where project_id = ${projectId}
      and (cardinality(${deviceClasses}::text[]) = 0 or device_class = any(${deviceClasses}::text[]))`);
  return row?.count ?? 0;
}

interface Place {
  deviceId: string;
  after: Pick<StoredEvent, 'ts' | 'seq'>;
}

interface Asked {
  projectId: string;
  end: Date;
  places: readonly Place[];
  /** Names of the device's own events; events of the platform are always included, because they determine its state. */
  names: readonly string[];
}

export interface PastPage {
  events: StoredEvent[];
  /** True if more events follow. */
  isMore: boolean;
}

/** The next events of each of these devices, in order. */
export async function eventsAfter(db: Db, asked: Asked): Promise<Map<string, PastPage>> {
  const rows = await db.many<StoredEvent>(sql`
    select e.* from unnest(
      ${asked.places.map(({ deviceId }) => deviceId)}::text[], ${asked.places.map(({ after }) => after.ts)}::timestamptz[],
      ${asked.places.map(({ after }) => after.seq)}::bigint[]) as a (device_id, ts, seq)
    cross join lateral (${join(
      eventSources.map(source => partOf(source, asked)),
      ' union all ',
    )} order by ts, seq limit ${pageMax}) e
    order by e."deviceId", e.ts, e.seq`);
  const pages = new Map<string, PastPage>();
  for (const [deviceId, events] of Map.groupBy(rows, row => row.deviceId))
    pages.set(deviceId, { events, isMore: events.length === pageMax });
  return pages;
}

/** Skips rows from before events had numbers, because their order is unknown. */
function partOf({ prefix, from, columns, ts }: EventSource, { projectId, end, names }: Asked): Sql {
  const isAsked =
    prefix === 'evt' && !names.includes('*') ? sql`and lower(t.name) = any(${names}::text[])` : sql``;
  return sql`(
    select ${columns} from ${from}
    where t.project_id = ${projectId} and t.device_id = a.device_id and ${ts} >= a.ts and ${ts} <= ${end}
      and t.seq is not null and (${ts}, t.seq) > (a.ts, a.seq) ${isAsked}
    order by ${ts}, t.seq limit ${pageMax})`;
}
