import { type Finding, findingsMax, namedMax } from '#contract/fleet.ts';
import { type Db, type Sql, sql } from '#server/db/sql.ts';
import { neverCount } from '#server/devices/list/counters.ts';
import { recentSignal } from '#server/devices/list/filters.ts';
import { offlineFindings } from './offlineFindings.ts';
import { rolloutFindings } from './rolloutFindings.ts';

/** What happened to a device, and how often. */
interface Happened {
  deviceId: string;
  text: string | null;
  count: number;
  at: Date;
}

/** In order of importance. */
const causes: Record<
  Exclude<Finding['signal'], 'offline' | 'rollout' | 'never'>,
  { text: Sql; at: Sql; order?: Sql }
> = {
  // There can be very many open alerts; an index has the newest ones by id.
  alert: { text: sql`text`, at: sql`ts`, order: sql`id` },
  updateFailed: { text: sql`coalesce(code, state) || coalesce(': ' || error, '')`, at: sql`state_at` },
  commandFailed: { text: sql`name || coalesce(': ' || error, '')`, at: sql`finished_at` },
  quarantine: {
    text: sql`coalesce(name || ': ', '') || rtrim(coalesce(faults->0->>'text', ''), '.')`,
    at: sql`ts`,
  },
  flapping: { text: sql`null::text`, at: sql`flapping_at` },
};

/** What needs attention. Each kind has an index by project and time, and only as many rows are read as are counted. */
export async function findingsOf(db: Db, projectId: string, now: Date): Promise<Finding[]> {
  const kinds = Object.keys(causes) as (keyof typeof causes)[];
  const found = await Promise.all(kinds.map(kind => findingOf(db, projectId, kind)));
  const [offline, rollouts, never] = await Promise.all([
    offlineFindings(db, projectId, now),
    rolloutFindings(db, projectId),
    neverConnected(db, projectId),
  ]);
  return [...offline, ...rollouts, ...found, never].filter(one => one !== undefined);
}

async function findingOf(
  db: Db,
  projectId: string,
  signal: keyof typeof causes,
): Promise<Finding | undefined> {
  const { text, at, order = at } = causes[signal];
  const rows = await db.many<Happened>(sql`
    select device_id as "deviceId", text, count(*)::int as count, max(at) as at from (
      select device_id, ${text} as text, ${at} as at ${recentSignal[signal]} and project_id = ${projectId}
      order by ${order} desc limit ${findingsMax}) latest
    group by device_id, text order by max(at) desc`);
  const [latest] = rows;
  if (!latest) return undefined;
  const ids = [...new Set(rows.map(({ deviceId }) => deviceId))].slice(0, namedMax);
  return {
    signal,
    count: sum(rows),
    at: latest.at.toISOString(),
    devices: await named(db, projectId, ids),
    causes: mostOften(rows),
  };
}

function mostOften(rows: readonly Happened[]): Finding['causes'] {
  const byText = Map.groupBy(rows, ({ text }) => text);
  return [...byText]
    .flatMap(([text, ofText]) => (text ? [{ text, count: sum(ofText) }] : []))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, namedMax);
}

const sum = (rows: readonly Happened[]) => rows.reduce((total, { count }) => total + count, 0);

/** The devices with name and tag, in the order of the ids. */
export async function named(db: Db, projectId: string, ids: readonly string[]): Promise<Finding['devices']> {
  const rows = await db.many<Finding['devices'][number]>(sql`
    select id, name, tag from devices where project_id = ${projectId} and id = any(${ids})`);
  return ids.flatMap(id => rows.filter(row => row.id === id));
}

/**
 * Devices that never connected, newest first, without those that send messages by HTTP calls. If there are such devices
 * among the newest, only these newest are counted.
 */
async function neverConnected(db: Db, projectId: string): Promise<Finding | undefined> {
  const rows = await db.many<Finding['devices'][number] & { at: Date; count: number }>(sql`
    with counted as materialized (select ${neverCount({ projectId })} as count),
    newest as materialized (
      select device_id, last_message_at is null as is_silent from device_presence
      where (select count from counted) > 0
        and project_id = ${projectId} and seen_order = '-infinity' and not suspended
      order by device_id desc limit ${findingsMax}),
    total as (
      select case when bool_and(is_silent) then (select count from counted)
        else (count(*) filter (where is_silent))::float8 end as count from newest)
    select d.id, d.name, d.tag, d.created_at as at, total.count
    from (select device_id from newest where is_silent order by device_id desc limit ${namedMax}) s
    join devices d on d.project_id = ${projectId} and d.id = s.device_id
    cross join total
    order by d.id desc`);
  const [newest] = rows;
  if (!newest) return undefined;
  const devices = rows.map(({ id, name, tag }) => ({ id, name, tag }));
  return { signal: 'never', count: newest.count, at: newest.at.toISOString(), devices, causes: [] };
}
