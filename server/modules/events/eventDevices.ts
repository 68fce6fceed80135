import { minuteMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { EventDevice } from '#server/modules/smartModules/moduleType.ts';
import type { StoredEvent } from './eventSources.ts';
import { type State, StatesThen } from './statesThen.ts';

interface Row {
  id: string;
  tag: string;
  name: string;
  deviceClass: string;
  homeId: string | null;
  connected: boolean;
  since: Date | null;
  state: string | null;
  /** Undo patches of later reports, latest first, each with its number. */
  undos: string | null;
}

/** A device as it is now, with its reported state at the time of an event. */
export interface DeviceThen {
  device: EventDevice;
  stateAfter: (event?: Pick<StoredEvent, 'seq'>) => State;
  /** The size of its latest state as text. */
  stateBytes: number;
}

type Read = DeviceThen & { states: StatesThen };

type Asked = Pick<StoredEvent, 'projectId' | 'deviceId'> & Partial<Pick<StoredEvent, 'ts' | 'seq'>>;

/**
 * Limits for the changes of one device that are undone to find its state after an event; for older events, the state is
 * the oldest that was reached.
 */
const undosMax = 2_000;
const undoBytesMax = 1024 * 1024;
/** The clocks of two gateways can differ by this much. */
const clocksApartMs = minuteMs;
/** How many devices are read at once, where not all may fit: twice as many each time. */
const devicesAtOnce = { first: 16, max: 128 };

/** The devices of these events, by id. Deleted devices are left out. */
export function devicesOf(db: Db, asked: readonly Asked[]): Promise<Map<string, DeviceThen>> {
  return read(db, [...Map.groupBy(asked, ({ deviceId }) => deviceId).values()]);
}

/**
 * The devices of as many of these events as have states of this size together, from the first one on; at least of one.
 * `count`: the number of these events.
 */
export async function devicesWithin(
  db: Db,
  asked: readonly Asked[],
  bytesMax: number,
): Promise<{ devices: Map<string, DeviceThen>; count: number }> {
  const devices = new Map<string, Read>();
  const left = Map.groupBy(asked, ({ deviceId }) => deviceId);
  const counted = new Set<string>();
  let [bytes, atOnce] = [0, devicesAtOnce.first];
  for (const [at, { deviceId }] of asked.entries()) {
    if (left.has(deviceId)) {
      const next = [...left].slice(0, atOnce);
      for (const [id] of next) left.delete(id);
      for (const [id, device] of await read(
        db,
        next.map(([, events]) => events),
      ))
        devices.set(id, device);
      atOnce = Math.min(devicesAtOnce.max, 2 * atOnce);
    }
    const states = devices.get(deviceId)?.states;
    bytes += (counted.has(deviceId) ? states?.moreBytes : states?.bytes) ?? 0;
    counted.add(deviceId);
    if (bytes > bytesMax && at > 0) return { devices, count: at };
  }
  return { devices, count: asked.length };
}

/** Reads devices, each with all its events. */
async function read(db: Db, byDevice: readonly (readonly Asked[])[]): Promise<Map<string, Read>> {
  if (byDevice.length === 0) return new Map();
  const all = byDevice.flatMap(firstOf);
  const from = all.map(({ ts }) => (ts ? new Date(ts.getTime() - clocksApartMs) : null));
  const rows = await db.many<Row>(sql`
    select d.id, d.tag, d.name, d.device_class as "deviceClass", d.home_id::text as "homeId",
      (p.seen_at = 'infinity') is true as connected, p.since, s.reported::text as state, c.undos
    from unnest(
      ${all.map(({ projectId }) => projectId)}::text[], ${all.map(({ deviceId }) => deviceId)}::text[],
      ${from}::timestamptz[], ${all.map(({ seq }) => seq ?? null)}::bigint[]) as asked (project_id, device_id, ts, seq)
    join devices d on d.project_id = asked.project_id and d.id = asked.device_id
    left join device_presence p on p.project_id = d.project_id and p.device_id = d.id
    left join device_states s on s.project_id = d.project_id and s.device_id = d.id
    cross join lateral (
      select json_agg(json_build_array(later.seq::text, later.undo) order by later.seq desc)::text as undos from (
        select t.seq, t.undo, sum(octet_length(t.undo::text)) over (order by t.ts desc, t.seq desc) as bytes
        from state_reports t
        where t.project_id = asked.project_id and t.device_id = asked.device_id and t.ts >= asked.ts and t.undo is not null
          and t.seq > asked.seq order by t.ts desc, t.seq desc limit ${undosMax}) later
      where later.bytes <= ${undoBytesMax}) c`);
  const seqsOf = new Map(byDevice.map(some => [some[0]?.deviceId, some.flatMap(({ seq }) => seq ?? [])]));
  return new Map(rows.map(row => [row.id, toDevice(row, seqsOf.get(row.id) ?? [])]));
}

/** The earliest of the events; those that are gone need no earlier state. */
function firstOf(events: readonly Asked[]): Asked[] {
  const known = events.filter(({ seq }) => seq !== undefined);
  const [first] = known.toSorted((a, b) => Number(a.seq) - Number(b.seq));
  return first ? [first] : events.slice(0, 1);
}

function toDevice({ state, undos, homeId, since, ...device }: Row, seqs: readonly string[]): Read {
  const states = new StatesThen(state, undos, seqs);
  return {
    device: { ...device, homeId: homeId ?? undefined, since: since ?? undefined },
    states,
    stateBytes: state?.length ?? 0,
    stateAfter: event => (event ? states.after(event.seq) : states.latest),
  };
}
