import type { AnswerOf } from '#contract/endpoint.ts';
import type { listModuleEvents } from '#contract/moduleRun.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, empty, join, type Sql, sql } from '#server/infra/db/sql.ts';
import { type EventSource, eventSources, type StoredEvent } from './eventSources.ts';

const eventsMax = 100;
/** Lists only devices that were active last, and only the latest events of each. */
const devicesMax = 100;
const ofEachMax = 200;

type Row = StoredEvent & { tag: string; deviceName: string; deviceClass: string };

/** The latest events of a project as modules receive them, from the devices that were active last. */
export async function listEvents({
  db,
  params,
  query,
}: Call<typeof listModuleEvents>): Promise<AnswerOf<typeof listModuleEvents>> {
  const { deviceId, deviceClass, name, before } = query;
  const rows = await latestEvents(db, {
    projectId: params.projectId,
    before,
    max: eventsMax,
    devices: sql`${deviceId ? sql`and p.device_id = ${deviceId}` : empty}
      ${deviceClass ? sql`and p.device_class = ${deviceClass}` : empty}`,
    events: name ? sql`where lower(e.name) = ${name.toLowerCase()}` : empty,
  });
  return rows.map(({ id, ts, payload, tag, deviceName, ...row }) => ({
    id,
    ts: ts.toISOString(),
    name: row.name,
    deviceId: row.deviceId,
    payload,
    device: { tag, name: deviceName, deviceClass: row.deviceClass },
  }));
}

interface Asked {
  projectId: string;
  /** Conditions on `device_presence p`. */
  devices: Sql;
  /** A condition on `e`. */
  events: Sql;
  before: string | undefined;
  max: number;
}

export function latestEvents(db: Db, { projectId, devices, events, before, max }: Asked): Promise<Row[]> {
  // In whole milliseconds, because the next page begins before the last event.
  return db.many<Row>(sql`select * from (
    select e.id, e."projectId", e."deviceId", e.ts, e.name, e.payload, e."causedBy", e.tx::text, e.seq::text,
      d.tag, d.name as "deviceName", d.device_class as "deviceClass"
    from (
      select p.device_id from device_presence p where p.project_id = ${projectId} ${devices}
      order by greatest(p.last_message_at, p.since) desc nulls last limit ${devicesMax}) latest
    join devices d on d.project_id = ${projectId} and d.id = latest.device_id
    cross join lateral (${join(
      eventSources.map(source => latestOf(source, projectId, before)),
      ' union all ',
    )}) e
    ${events} order by date_trunc('milliseconds', e.ts) desc fetch first (${max}::int) rows with ties) e
    order by e.ts desc, e.seq::bigint desc`);
}

function latestOf({ from, columns, ts }: EventSource, projectId: string, before: string | undefined): Sql {
  return sql`(
    select ${columns} from ${from}
    where t.project_id = ${projectId} and t.device_id = latest.device_id
      ${before ? sql`and ${ts} < ${before}` : empty}
    order by ${ts} desc limit ${ofEachMax})`;
}
