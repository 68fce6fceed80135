import { type Alert, alertSeverities } from '#contract/alert.ts';
import { type Finding, findingsMax, namedMax } from '#contract/fleet.ts';
import { neverCount } from '#server/devices/devices/list/counters.ts';
import { recentSignal } from '#server/devices/devices/list/filters.ts';
import { type Db, join, type Sql, sql } from '#server/infra/db/sql.ts';
import { lossFinding } from './lossFinding.ts';
import { namedDevices } from './namedDevices.ts';
import { offlineFindings } from './offlineFindings.ts';
import { rolloutFindings } from './rolloutFindings.ts';

/** What happened to a device, and how often. */
interface Happened {
  deviceId: string;
  text: string | null;
  count: number;
  at: Date;
}

type Counted = Exclude<Finding['signal'], 'lost' | 'offline' | 'rollout' | 'never' | 'alert'>;

const causes: Record<Counted, { text: Sql; at: Sql }> = {
  updateFailed: { text: sql`coalesce(code, state) || coalesce(': ' || error, '')`, at: sql`state_at` },
  commandFailed: { text: sql`name || coalesce(': ' || error, '')`, at: sql`finished_at` },
  flapping: { text: sql`null::text`, at: sql`flapping_at` },
  quarantine: {
    text: sql`coalesce(name || ': ', '') || rtrim(coalesce(faults->0->>'text', ''), '.')`,
    at: sql`ts`,
  },
};

/** What needs attention, the most urgent first. Of each kind, only as many rows are read as are counted. */
export async function findingsOf(db: Db, projectId: string, now: Date): Promise<Finding[]> {
  const of = (signal: Counted) => findingOf(db, projectId, { signal, happened: happened(projectId, signal) });
  const [gone, rollouts, critical, alerts, never, ...others] = await Promise.all([
    goneFindings(db, projectId, now),
    rolloutFindings(db, projectId, now),
    findingOf(db, projectId, {
      signal: 'alert',
      severity: 'critical',
      happened: openAlerts(projectId, ['critical']),
    }),
    findingOf(db, projectId, {
      signal: 'alert',
      happened: openAlerts(
        projectId,
        alertSeverities.filter(severity => severity !== 'critical'),
      ),
    }),
    neverConnected(db, projectId),
    ...(['updateFailed', 'commandFailed', 'flapping', 'quarantine'] as const).map(of),
  ]);
  const [updates, commands, flapping, quarantine] = others;
  const urgent = [...gone, critical, ...rollouts, updates, commands, flapping];
  return [...urgent, alerts, quarantine, never].filter(one => one !== undefined);
}

/** A loss that was found by its time is not repeated as a low number of devices. */
async function goneFindings(db: Db, projectId: string, now: Date): Promise<Finding[]> {
  const [lost, offline] = await Promise.all([
    lossFinding(db, projectId, now),
    offlineFindings(db, projectId, now),
  ]);
  if (!lost) return offline;
  return [lost, ...offline.filter(({ count }) => count > 2 * lost.count)];
}

/** Each kind has an index by project and time. */
function happened(projectId: string, signal: Counted): Sql {
  const { text, at } = causes[signal];
  return sql`
    select device_id, ${text} as text, ${at} as at ${recentSignal[signal]} and project_id = ${projectId}
    order by ${at} desc limit ${findingsMax}`;
}

/** There can be very many open alerts; an index has the newest ones of each severity by id. */
function openAlerts(projectId: string, severities: readonly Alert['severity'][]): Sql {
  const ofEach = severities.map(
    severity => sql`(
      select device_id, text, ts as at, id ${recentSignal.alert}
        and project_id = ${projectId} and severity_order = ${alertSeverities.indexOf(severity)}
      order by id desc limit ${findingsMax})`,
  );
  return sql`
    select device_id, text, at from (${join(ofEach, ' union all ')}) a order by id desc limit ${findingsMax}`;
}

interface Question extends Pick<Finding, 'signal' | 'severity'> {
  /** Selects `device_id`, `text` and `at`. */
  happened: Sql;
}

async function findingOf(
  db: Db,
  projectId: string,
  { happened, ...kind }: Question,
): Promise<Finding | undefined> {
  const rows = await db.many<Happened>(sql`
    select device_id as "deviceId", text, count(*)::int as count, max(at) as at from (${happened}) latest
    group by device_id, text order by max(at) desc`);
  const [latest] = rows;
  if (!latest) return undefined;
  const ids = [...new Set(rows.map(({ deviceId }) => deviceId))].slice(0, namedMax);
  return {
    ...kind,
    count: sum(rows),
    at: latest.at.toISOString(),
    devices: await namedDevices(db, projectId, ids),
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
