import { settled, settledFrom } from '#server/db/settled.ts';
import { type Db, empty, type Sql, sql } from '#server/db/sql.ts';
import { toldUpdate } from '#server/deviceFirmware/toldUpdate.ts';
import type { Cursor, DatabaseNow } from './eventCursor.ts';

export interface HomeEvent {
  projectId: string;
  /** `0`: of no home. */
  homeId: string;
  /** Told to this user alone. */
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
  /** What it says beyond this, as members of a JSON object; null where it was deleted meanwhile. */
  content: string | null;
}

const rowColumns = sql`project_id, home_id, user_id, device_id, seq, ts, type, name, ref, payload`;

/** Looked up by key for each row: states as they are now, so that nobody is told of one that is gone already. */
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
      select '"update":' || coalesce((${toldUpdate})::text, 'null') from device_targets t
      where t.project_id = h.project_id and t.device_id = h.device_id)
    else '' end as content`;

/** Between two transactions, and after a number among them. */
const within = ({ from, to, seq }: Omit<Cursor, 'atS'>): Sql => sql`
  tx >= ${from.toString()}::text::xid8 and tx < ${to.toString()}::text::xid8 and seq > ${seq.toString()}::bigint`;

/** A cursor to which everything that can be seen has been read. */
export async function newestCursor(db: Db): Promise<Cursor> {
  const row = await db.one<{ newest: string; atS: string }>(sql`
    select ${settled}::text as newest, ${clockS} as "atS"`);
  const to = BigInt(row?.newest ?? 0);
  return { from: to, to, seq: 0n, atS: Number(row?.atS) };
}

const clockS = sql`floor(extract(epoch from clock_timestamp()))::bigint::text`;

/**
 * The next rows of these projects, in order, the window they are in, and the cursor after them. Only of transactions
 * before which none runs any more: a row of one that commits late is never passed by. By the index on `tx`: the project
 * is written so that none of its own is taken, which would read all that the project has.
 */
export async function readNext(
  db: Db,
  cursor: Cursor,
  { projectIds, max }: { projectIds: readonly string[]; max: number },
): Promise<{ rows: HomeEvent[]; window: Cursor; cursor: Cursor }> {
  // In the middle of a window it goes on to its end; else the next one begins.
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

/** Whose past is read: what was told to all of these homes, and to this user. */
export interface Audience {
  projectId: string;
  userId: string;
  homeIds: readonly string[];
  /** Only what is told of this home. */
  onlyHome: string | undefined;
}

const slotS = 10_800;
const slots = 10;
/** A transaction that began before a cursor was made can write after it. */
const longestTransactionS = 3600;

/** One of the past, with its place in the ring. */
export interface PastEvent extends HomeEvent {
  slot: number;
}

/** The same of one audience, within a window that is past. */
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
 * When a row was written, by the clock of the database: what comes after it is looked for from there on. Its own time is
 * that of another clock, and counts as far as its slot allows.
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

/** See `parseCursor`. The identifier of the cluster is not to be had everywhere; without it, transactions must do. */
export async function databaseNow(db: Db): Promise<DatabaseNow> {
  const row = await db.one<{ atS: string; nextTx: string; cluster: string }>(sql`
    select ${clockS} as "atS", pg_snapshot_xmax(pg_current_snapshot())::text as "nextTx",
      case when has_function_privilege('pg_control_system()', 'execute')
        then (select substr(md5(system_identifier::text), 1, 4) from pg_control_system()) else '' end as cluster`);
  return { atS: Number(row?.atS), nextTx: BigInt(row?.nextTx ?? 0), cluster: row?.cluster ?? '' };
}
