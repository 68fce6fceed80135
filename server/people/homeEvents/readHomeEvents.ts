import { hourS } from '#rules/time/durations.ts';
import { updateAsJson } from '#server/firmware/targets/updateForHome.ts';
import { settled, settledFrom } from '#server/infra/db/settled.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Cursor, DatabaseNow } from './eventCursor.ts';

export interface HomeEvent {
  projectId: string;
  /** `0` if the event belongs to no home. */
  homeId: string;
  /** Only this user receives the event. */
  userId: string | null;
  deviceId: string | null;
  seq: string;
  ts: Date;
  type:
    | 'event'
    | 'state'
    | 'desired'
    | 'presence'
    | 'command'
    | 'alert'
    | 'update'
    | 'device'
    | 'home'
    | 'membership';
  name: string;
  /** The remaining content, as members of a JSON object; null if it was deleted meanwhile. */
  content: string | null;
}

const rowColumns = sql`project_id, home_id, user_id, device_id, seq, ts, type, name, ref, payload`;

/**
 * Looked up by key for each row. States are read as they are now, so that nobody receives a state that has been
 * deleted.
 */
const answerColumns = sql`
  h.project_id as "projectId", h.home_id::text as "homeId", h.user_id as "userId", h.device_id as "deviceId",
  h.seq::text, h.ts, h.type, h.name,
  case h.type
    when 'event' then '"payload":' || coalesce(h.payload::text, (
      select e.payload::text from device_events e
      where e.project_id = h.project_id and e.device_id = h.device_id and e.ts = h.ts and e.id = h.ref))
    when 'state' then (
      select '"reported":' || s.reported::text from device_states s
      where s.project_id = h.project_id and s.device_id = h.device_id)
    when 'desired' then (
      select '"desired":' || s.desired::text || ',"version":' || s.desired_version from device_states s
      where s.project_id = h.project_id and s.device_id = h.device_id)
    when 'command' then (
      select concat_ws(',', '"commandId":' || to_json(c.id)::text,
        case when c.stage = h.name then '"result":' || c.result::text end,
        case when c.stage = h.name then '"error":' || to_json(c.error)::text end)
      from device_commands c
      where c.project_id = h.project_id and c.device_id = h.device_id and c.id = h.ref)
    when 'alert' then (
      select concat_ws(',', '"alertId":' || to_json(a.id)::text, '"severity":' || to_json(a.severity)::text,
        '"text":' || to_json(a.text)::text, '"state":' || to_json(a.state)::text)
      from alerts a where a.project_id = h.project_id and a.id = h.ref)
    when 'update' then (
      select '"update":' || coalesce((${updateAsJson})::text, 'null') from device_targets t
      where t.project_id = h.project_id and t.device_id = h.device_id)
    else '' end as content`;

/** Between two transactions, and after a sequence number within them. */
const within = ({ from, to, seq }: Omit<Cursor, 'atS'>): Sql => sql`
  tx >= ${from.toString()}::text::xid8 and tx < ${to.toString()}::text::xid8 and seq > ${seq.toString()}::bigint`;

/** A cursor positioned after everything that is visible now. */
export async function newestCursor(db: Db): Promise<Cursor> {
  const row = await db.one<{ newest: string; atS: string }>(sql`
    select ${settled}::text as newest, ${clockS} as "atS"`);
  const to = BigInt(row?.newest ?? 0);
  return { from: to, to, seq: 0n, atS: Number(row?.atS) };
}

const clockS = sql`floor(extract(epoch from clock_timestamp()))::bigint::text`;

/**
 * Returns the next rows of these projects in order, their window, and the cursor after them. Reads only transactions
 * before which none is still running, so that a row of a transaction that commits late is not skipped. Uses the index
 * on `tx`: the condition on the project is written so that no index on it is used, which would read all rows of the
 * project.
 */
export async function readNext(
  db: Db,
  cursor: Cursor,
  { projectIds, max }: { projectIds: readonly string[]; max: number },
): Promise<{ rows: HomeEvent[]; window: Cursor; cursor: Cursor }> {
  // Within a window, read on to its end; otherwise begin the next one.
  const isWithin = cursor.from < cursor.to;
  const from = isWithin ? cursor.from : cursor.to;
  const upTo = isWithin
    ? sql`${cursor.to.toString()}::text::xid8`
    : settledFrom(sql`${cursor.to.toString()}::text::xid8`);
  const all = await db.many<(HomeEvent | Record<keyof HomeEvent, null>) & { upTo: string; atS: string }>(sql`
    with bound as materialized (select ${upTo} as tx, ${clockS} as at)
    select b.tx::text as "upTo", b.at as "atS", ${answerColumns}
    from bound b left join lateral (
      select ${rowColumns} from home_events
      where tx >= ${from.toString()}::text::xid8 and tx < b.tx and seq > ${cursor.seq.toString()}::bigint
        and project_id || '' = any(${projectIds}::text[])
      order by seq limit ${max}) h on true
    order by h.seq`);
  const to = BigInt(all[0]?.upTo ?? cursor.to);
  const atS = Number(all[0]?.atS ?? cursor.atS);
  const rows = all.filter((row): row is HomeEvent & { upTo: string; atS: string } => row.seq !== null);
  const last = rows.at(-1);
  const isAll = rows.length < max || last === undefined;
  return {
    rows,
    window: { from, to, seq: cursor.seq, atS },
    cursor: isAll ? { from: to, to, seq: 0n, atS } : { from, to, seq: BigInt(last.seq), atS },
  };
}

/** Whose past events are read: those to all of these homes, and those to this user. */
export interface Audience {
  projectId: string;
  userId: string;
  homeIds: readonly string[];
  /** Only the events of this home. */
  onlyHome: string | undefined;
}

const slotS = 10_800;
const slots = 10;
/** A transaction that began before a cursor was made can write after it. */
const longestTransactionS = hourS;

/** A past event, with its slot in the ring. */
export interface PastEvent extends HomeEvent {
  slot: number;
}

/** Returns the events for one audience within a past window. */
export function readPast(
  db: Db,
  window: Omit<Cursor, 'atS'>,
  { projectId, userId, homeIds, onlyHome }: Audience,
  { sinceS, nowS, max }: { sinceS: number; nowS: number; max: number },
): Promise<PastEvent[]> {
  const first = Math.floor((sinceS - longestTransactionS) / slotS);
  const count = Math.min(Math.floor(nowS / slotS) - first + 1, slots);
  const inSlots = Array.from({ length: count }, (_, at) => (first + at) % slots);
  return db.many<PastEvent>(sql`
    select ${answerColumns}, h.slot from (
      select h.* from unnest(${homeIds}::bigint[]) as home (id) cross join lateral (
        select ${rowColumns}, slot from home_events
        where project_id = ${projectId} and home_id = home.id and user_id is null
          and slot = any(${inSlots}::smallint[]) and ${within(window)}
        order by seq limit ${max}) h
      union all (
        select ${rowColumns}, slot from home_events
        where project_id = ${projectId} and user_id = ${userId} and slot = any(${inSlots}::smallint[])
          and ${within(window)} ${onlyHome === undefined ? empty : sql`and home_id = ${onlyHome}`}
        order by seq limit ${max})
      order by seq limit ${max}) h
    order by h.seq`);
}

/**
 * When a row was written, by the clock of the database: the search for later rows starts there. The row's own `ts` is
 * from another clock, so it is used only within the limits of its slot.
 */
export function writtenAtS(
  { slot, ts }: PastEvent,
  { sinceS, nowS }: { sinceS: number; nowS: number },
): number {
  const current = Math.floor(nowS / slotS);
  const begin = (current - ((current - slot + slots) % slots)) * slotS;
  const within = Math.min(Math.max(Math.floor(ts.getTime() / 1000), begin), begin + slotS - 1);
  return Math.min(Math.max(within, sinceS), nowS);
}

/**
 * See `parseCursor`. Some databases do not reveal the cluster's identifier; then only the transaction ids distinguish
 * them.
 */
export async function databaseNow(db: Db): Promise<DatabaseNow> {
  const row = await db.one<{ atS: string; nextTx: string; cluster: string }>(sql`
    select ${clockS} as "atS", pg_snapshot_xmax(pg_current_snapshot())::text as "nextTx",
      case when has_function_privilege('pg_control_system()', 'execute')
        then (select substr(md5(system_identifier::text), 1, 4) from pg_control_system()) else '' end as cluster`);
  return { atS: Number(row?.atS), nextTx: BigInt(row?.nextTx ?? 0), cluster: row?.cluster ?? '' };
}
