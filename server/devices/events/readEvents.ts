import type { DeviceEvent } from '#contract/deviceState.ts';
import { searchedToHeader } from '#contract/log.ts';
import { Problem } from '#contract/problem.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { timeRange } from '#server/api/http/timeRange.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { timeOfId } from '#server/infra/ids.ts';

const pageDefault = 100;
/** The retention period, plus a day. */
const daysMax = 31;
/** At most this many events are scanned for a name; the answer says how far the scan came. */
const lookedAtMax = 50_000;

interface Row {
  id: string;
  ts: Date;
  name: string;
  payload: DeviceEvent['payload'];
}

/** The device and time range of the requested events. */
interface Asking extends Pick<Call, 'db' | 'setHeader' | 'projectId'> {
  params: { deviceId: string };
  query: {
    begin: string;
    end: string;
    name?: string | undefined;
    maxEntries?: number | undefined;
    after?: string | undefined;
  };
}

interface Before {
  projectId: string;
  deviceId: string;
  begin: Date;
  before: { at: Date; id: string };
  limit: number;
}

/**
 * Newest first, and none before `since`. An event id contains its creation time, so a page can continue from an id
 * alone.
 */
export async function eventsOf(call: Asking, since?: Date): Promise<DeviceEvent[]> {
  const { db, params, query, projectId } = call;
  const { name, maxEntries = pageDefault } = query;
  const all = sql`
    select id, ts, name, payload from device_events
    where project_id = ${projectId} and device_id = ${params.deviceId} and ${inRange(query, since)}
    order by ts desc, id desc`;
  if (name === undefined) return (await db.many<Row>(sql`${all} limit ${maxEntries}`)).map(toEvent);
  const rows = await db.many<Row>(sql`
    select * from (${all} limit ${lookedAtMax}) newest where name = ${name}
    order by ts desc, id desc limit ${maxEntries}`);
  if (rows.length === maxEntries) return rows.map(toEvent);
  const last = await db.one<Row>(sql`${all} offset ${lookedAtMax - 1} limit 1`);
  if (!last) return rows.map(toEvent);
  // The caller continues before the time of the answer, so the rest of its millisecond belongs to this page.
  const rest = await db.many<Row>(sql`
    select id, ts, name, payload from device_events
    where project_id = ${projectId} and device_id = ${params.deviceId} and ts = ${last.ts} and id < ${last.id}
      and name = ${name}
    order by id desc limit ${maxEntries - rows.length}`);
  const page = [...rows, ...rest];
  if (page.length < maxEntries) call.setHeader(searchedToHeader, last.ts.toISOString());
  return page.map(toEvent);
}

/** The newest events before a place, for the timeline. */
export async function eventsBefore(
  db: Db,
  { projectId, deviceId, begin, before, limit }: Before,
): Promise<DeviceEvent[]> {
  const rows = await db.many<Row>(sql`
    select id, ts, name, payload from device_events
    where project_id = ${projectId} and device_id = ${deviceId} and ts >= ${begin} and ts <= ${before.at}
      and (ts, id) < (${before.at}, ${before.id})
    order by ts desc, id desc limit ${limit}`);
  return rows.map(toEvent);
}

function inRange({ after, ...asked }: Asking['query'], since: Date | undefined): Sql {
  const { begin, end } = timeRange(asked, daysMax);
  const from = since && since > begin ? since : begin;
  return sql`ts >= ${from} and ts < ${end} ${after === undefined ? empty : olderThan(after)}`;
}

/** The time condition is repeated on its own because it selects the partitions. */
function olderThan(id: string): Sql {
  const ms = timeOfId('evt', id);
  if (ms === undefined) throw new Problem('INVALID_FIELDS', { fields: { after: 'INVALID' } });
  return sql`and ts <= ${new Date(ms)} and (ts, id) < (${new Date(ms)}, ${id})`;
}

function toEvent({ ts, ...event }: Row): DeviceEvent {
  const alert = alertIn(event.payload);
  return { ...event, ts: ts.toISOString(), ...(alert && { alert }) };
}

function alertIn(payload: DeviceEvent['payload']): DeviceEvent['alert'] {
  const alert = isObject(payload) ? payload._alert : undefined;
  if (!isObject(alert)) return undefined;
  const { severity, text } = alert;
  return typeof severity === 'string' && typeof text === 'string' ? { severity, text } : undefined;
}
