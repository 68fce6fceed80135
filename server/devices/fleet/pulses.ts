import type { DeviceSignal } from '#contract/device.ts';
import { findingsMax } from '#contract/finding.ts';
import type { DevicePulse } from '#contract/fleet.ts';
import type { Presence } from '#contract/presence.ts';
import { dayMs } from '#rules/time/durations.ts';
import { recentSignal } from '#server/devices/devices/list/filters.ts';
import { firmwareInShort } from '#server/firmware/targets/firmwareInShort.ts';
import { type Db, join, type Sql, sql } from '#server/infra/db/sql.ts';

const spanMs = dayMs;
/** The most changes per device; a strip could not show more. */
const changesMax = 200;

interface Row {
  id: string;
  connected: boolean;
  changes: { at: string; connected: boolean; reason: string | null }[];
}

/** The strips, signals and firmware of a page of devices, in three statements for any number of devices. */
export async function pulsesOf(
  db: Db,
  projectId: string,
  ids: readonly string[],
  now: Date,
): Promise<DevicePulse[]> {
  const [rows, trouble, firmware] = await Promise.all([
    presences(db, projectId, ids, new Date(now.getTime() - spanMs)),
    signalsOf(db, projectId, ids),
    firmwareInShort(db, projectId, ids),
  ]);
  const byDevice = Map.groupBy(trouble, ({ id }) => id);
  return rows.map(row => ({
    id: row.id,
    presence: presenceFrom(row),
    signals: (byDevice.get(row.id) ?? []).map(({ signal, count, text }) => ({
      signal,
      count,
      ...(text !== null && { text }),
    })),
    firmware: firmware.get(row.id) ?? {},
  }));
}

/** The newest changes of each device. Its status before them is the opposite of the first; without any, the current. */
function presences(db: Db, projectId: string, ids: readonly string[], begin: Date): Promise<Row[]> {
  return db.many<Row>(sql`
    select s.device_id as id, (s.seen_at = 'infinity') is true as connected, coalesce(c.changes, '[]') as changes
    from device_presence s cross join lateral (
      select json_agg(json_build_object('at', at, 'connected', connected, 'reason', reason) order by at, number) as changes
      from (
        select at, number, connected, reason from presence_changes p
        where p.project_id = s.project_id and p.device_id = s.device_id and p.at >= ${begin}
        order by at desc, number desc limit ${changesMax + 1}) newest) c
    where s.project_id = ${projectId} and s.device_id = any(${ids})`);
}

function presenceFrom({ connected, changes }: Row): Presence {
  const truncated = changes.length > changesMax;
  const shown = truncated ? changes.slice(1) : changes;
  const [first] = shown;
  return {
    connectedAtBegin: first ? !first.connected : connected,
    changes: shown.map(({ at, reason, ...change }) => ({
      ...change,
      at: new Date(at).toISOString(),
      ...(reason !== null && { reason }),
    })),
    truncated,
  };
}

interface Trouble {
  id: string;
  signal: DeviceSignal;
  count: number;
  text: string | null;
}

const columns: Record<DeviceSignal, { text: Sql; at: Sql; count: Sql }> = {
  alert: { text: sql`text`, at: sql`ts`, count: sql`1` },
  updateFailed: { text: sql`coalesce(error, code)`, at: sql`state_at`, count: sql`1` },
  commandFailed: { text: sql`name`, at: sql`finished_at`, count: sql`1` },
  quarantine: { text: sql`null::text`, at: sql`ts`, count: sql`1` },
  flapping: { text: sql`null::text`, at: sql`flapping_at`, count: sql`changes_count` },
  quiet: { text: sql`null::text`, at: sql`quiet_since`, count: sql`1` },
};

function signalsOf(db: Db, projectId: string, ids: readonly string[]): Promise<Trouble[]> {
  const kinds = Object.keys(columns) as DeviceSignal[];
  const parts = kinds.map(kind => {
    const { text, at, count } = columns[kind];
    return sql`
      select device_id as id, ${kind} as signal, sum(count)::int as count, (array_agg(text order by at desc))[1] as text
      from (select device_id, ${text} as text, ${at} as at, ${count} as count ${recentSignal[kind]}
        and project_id = ${projectId} and device_id = any(${ids}) limit ${findingsMax}) found
      group by device_id`;
  });
  return db.many<Trouble>(join(parts, ' union all '));
}
