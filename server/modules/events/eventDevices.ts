import { mergePatch } from '#rules/json/mergePatch.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { EventDevice } from '#server/modules/smartModules/moduleType.ts';
import type { StoredEvent } from './eventSources.ts';

type State = Record<string, unknown>;

interface Row {
  id: string;
  tag: string;
  name: string;
  deviceClass: string;
  homeId: string | null;
  connected: boolean;
  since: Date | null;
  state: State | null;
  /** Undo patches of later reports, latest first, each with its number. */
  undos: [string, object][] | null;
}

/** A device as it is now, with its reported state at the time of an event. */
export interface DeviceThen {
  device: EventDevice;
  stateAfter: (event?: Pick<StoredEvent, 'seq'>) => State;
}

type Asked = Pick<StoredEvent, 'projectId' | 'deviceId'> & Partial<Pick<StoredEvent, 'ts' | 'seq'>>;

/**
 * Limit for the changes of one device that are undone to find its state after an event; for older events, the state is
 * the oldest that was reached.
 */
const undosMax = 2_000;
/** The clocks of two gateways can differ by this much. */
const clocksApartMs = minuteMs;

/** The devices of these events, by id. Deleted devices are left out. */
export async function devicesOf(db: Db, asked: readonly Asked[]): Promise<Map<string, DeviceThen>> {
  if (asked.length === 0) return new Map();
  const all = [...Map.groupBy(asked, ({ deviceId }) => deviceId).values()].flatMap(events => {
    const [first] = events.toSorted((a, b) => Number(a.seq ?? 0) - Number(b.seq ?? 0));
    return first ? [first] : [];
  });
  const from = all.map(({ ts }) => (ts ? new Date(ts.getTime() - clocksApartMs) : null));
  const rows = await db.many<Row>(sql`
    select d.id, d.tag, d.name, d.device_class as "deviceClass", d.home_id::text as "homeId",
      (p.seen_at = 'infinity') is true as connected, p.since, s.reported as state, c.undos
    from unnest(
      ${all.map(({ projectId }) => projectId)}::text[], ${all.map(({ deviceId }) => deviceId)}::text[],
      ${from}::timestamptz[], ${all.map(({ seq }) => seq ?? null)}::bigint[]) as asked (project_id, device_id, ts, seq)
    join devices d on d.project_id = asked.project_id and d.id = asked.device_id
    left join device_presence p on p.project_id = d.project_id and p.device_id = d.id
    left join device_states s on s.project_id = d.project_id and s.device_id = d.id
    cross join lateral (
      select json_agg(json_build_array(later.seq::text, later.undo) order by later.seq desc) as undos from (
        select t.seq, t.undo from state_reports t
        where t.project_id = asked.project_id and t.device_id = asked.device_id and t.ts >= asked.ts and t.undo is not null
          and t.seq > asked.seq order by t.ts desc, t.seq desc limit ${undosMax}) later) c`);
  return new Map(rows.map(row => [row.id, toDevice(row)]));
}

function toDevice({ state, undos, homeId, since, ...device }: Row): DeviceThen {
  return {
    device: { ...device, homeId: homeId ?? undefined, since: since ?? undefined },
    stateAfter: event => {
      const later = event ? (undos ?? []).filter(([seq]) => BigInt(seq) > BigInt(event.seq)) : [];
      return later.reduce((now, [, undo]) => mergePatch(now, undo) as State, state ?? {});
    },
  };
}
