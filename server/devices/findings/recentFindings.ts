import { type Alert, alertSeverities } from '#contract/alert.ts';
import { type Finding, findingsMax, namedMax } from '#contract/finding.ts';
import { openedAt } from '#server/devices/alerts/alert.ts';
import { recentSignal } from '#server/devices/devices/list/filters.ts';
import { namedDevices } from '#server/devices/fleet/namedDevices.ts';
import { type Db, join, type Sql, sql } from '#server/infra/db/sql.ts';
import { inCommon } from './inCommon.ts';

/** What happened to a device, and how often. */
interface Happened {
  deviceId: string;
  text: string | null;
  count: number;
  /** When it began; for most, when it happened. */
  since: Date;
  at: Date;
}

const columns = {
  updateFailed: { text: sql`coalesce(code, state) || coalesce(': ' || error, '')`, at: sql`state_at` },
  commandFailed: { text: sql`name || coalesce(': ' || error, '')`, at: sql`finished_at` },
  flapping: { text: sql`null::text`, at: sql`flapping_at` },
  quarantine: {
    text: sql`coalesce(name || ': ', '') || rtrim(coalesce(faults->0->>'text', ''), '.')`,
    at: sql`ts`,
  },
};

/** Of each kind, only as many rows are read as are counted; each has an index by project and time. */
export function recentFinding(
  db: Db,
  projectId: string,
  signal: keyof typeof columns,
): Promise<Finding | undefined> {
  const { text, at } = columns[signal];
  const happened = sql`
    select device_id, ${text} as text, ${at} as since, ${at} as at ${recentSignal[signal]} and project_id = ${projectId}
    order by ${at} desc limit ${findingsMax}`;
  return findingOf(db, projectId, { signal, happened });
}

/** The open alerts that are less than critical, in one finding. */
export function lesserAlerts(db: Db, projectId: string): Promise<Finding | undefined> {
  const lesser = alertSeverities.filter(severity => severity !== 'critical');
  return findingOf(db, projectId, { signal: 'alert', happened: openAlerts(projectId, lesser) });
}

/** There can be very many open alerts; an index has the newest ones of each severity by id. */
function openAlerts(projectId: string, severities: readonly Alert['severity'][]): Sql {
  const ofEach = severities.map(
    severity => sql`(
      select device_id, text, ts as since, ${openedAt} as at, id ${recentSignal.alert}
        and project_id = ${projectId} and severity_order = ${alertSeverities.indexOf(severity)}
      order by id desc limit ${findingsMax})`,
  );
  return sql`
    select device_id, text, since, at from (${join(ofEach, ' union all ')}) a order by id desc limit ${findingsMax}`;
}

interface Question extends Pick<Finding, 'signal'> {
  /** Selects `device_id`, `text`, `since` and `at`. */
  happened: Sql;
}

async function findingOf(
  db: Db,
  projectId: string,
  { happened, signal }: Question,
): Promise<Finding | undefined> {
  const rows = await db.many<Happened>(sql`
    select device_id as "deviceId", text, count(*)::int as count, min(since) as since, max(at) as at
    from (${happened}) latest group by device_id, text order by max(at) desc`);
  const [latest] = rows;
  if (!latest) return undefined;
  const deviceIds = [...new Set(rows.map(({ deviceId }) => deviceId))];
  const [devices, common] = await Promise.all([
    namedDevices(db, projectId, deviceIds.slice(0, namedMax)),
    inCommon(db, projectId, { deviceIds, areGone: signal === 'flapping' }),
  ]);
  return {
    id: signal,
    signal,
    count: sum(rows),
    since: new Date(Math.min(...rows.map(({ since }) => since.getTime()))).toISOString(),
    at: latest.at.toISOString(),
    devices,
    causes: mostOften(rows),
    common,
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
