import type { HistoryReport } from '#server/devices/stateHistory/historyOf.ts';
import {
  insertReports,
  reportColumns,
  reportLists,
  reportTime,
} from '#server/devices/stateHistory/storeHistory.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { textLines } from '#server/infra/db/textLines.ts';

type JsonObject = Record<string, unknown>;

export interface StateRow {
  projectId: string;
  deviceId: string;
  reported: JsonObject;
  desired: JsonObject;
  /** The number of the transaction that locked it. */
  transaction: string;
}

interface Who {
  projectId: string;
  id: string;
}

/** Locks the states of these devices in id order, creating missing rows; deleted devices are left out. */
export async function lockStates(db: Db, devices: readonly Who[]): Promise<Map<string, StateRow>> {
  const rows = await lockThere(db, devices);
  const there = new Map(rows.map(row => [row.deviceId, row]));
  const missing = devices.filter(({ id }) => !there.has(id));
  if (missing.length === 0) return there;
  // Only devices without a row are looked up: after its first report, every device has one.
  await db.run(sql`
    insert into device_states (project_id, device_id)
    select d.project_id, d.id from ${asked(missing)} join devices d on d.project_id = asked.project_id and d.id = asked.id
    order by d.id on conflict do nothing`);
  for (const row of await lockThere(db, missing)) there.set(row.deviceId, row);
  return there;
}

function lockThere(db: Db, devices: readonly Who[]): Promise<StateRow[]> {
  return db.many<StateRow>(sql`
    select s.project_id as "projectId", s.device_id as "deviceId", s.reported, s.desired,
      pg_current_xact_id()::text as transaction
    from ${asked(devices)} join device_states s on s.project_id = asked.project_id and s.device_id = asked.id
    order by s.device_id for update of s`);
}

const asked = (devices: readonly Who[]) => sql`
  unnest(${textLines(devices.map(({ projectId }) => projectId))}, ${textLines(devices.map(({ id }) => id))}) as asked (project_id, id)`;

/** A report, and the resulting state if it is the last report of its device. */
export interface StateReport extends HistoryReport {
  state?: ReportedState | undefined;
}

export interface ReportedState {
  /** The whole state, as JSON. */
  text: string;
  /**
   * The times of the properties that changed; null for one that was removed. If undefined, stored times are removed as
   * well.
   */
  changes: Record<string, string | null> | undefined;
}

/** Replaces reported states and stores their history. */
export async function saveReported(db: Db, reports: readonly StateReport[]): Promise<void> {
  const changes = reports.map(({ state }) => state?.changes && JSON.stringify(state.changes));
  await db.run(sql`
    with reports as materialized (
      select * from unnest(${reportLists(reports)}, ${textLines(reports.map(({ state }) => state?.text))}, ${textLines(changes)})
      as r (${reportColumns}, reported, changes)),
    saved as (
      update device_states s set reported = r.reported::jsonb, reported_at = ${reportTime},
        reported_changes = coalesce(jsonb_strip_nulls(s.reported_changes || r.changes::jsonb), '{}')
      from reports r
      where r.reported is not null and s.project_id = r.project_id and s.device_id = r.device_id)
    ${insertReports}`);
}

export interface Report {
  projectId: string;
  deviceId: string;
  text: string;
  at: Date;
}

/** The latest reports of these devices; devices that never reported are left out. */
export async function reportsOf(
  db: Db,
  what: 'installed' | 'progress',
  devices: readonly Who[],
): Promise<Map<string, unknown>> {
  const column = what === 'installed' ? sql`s.installed` : sql`s.progress`;
  const rows = await db.many<{ deviceId: string; said: unknown }>(sql`
    select s.device_id as "deviceId", ${column} as said
    from unnest(
      ${devices.map(({ projectId }) => projectId)}::text[], ${devices.map(({ id }) => id)}::text[]
    ) as asked (project_id, id)
    join device_states s on s.project_id = asked.project_id and s.device_id = asked.id
    where ${column} is not null`);
  return new Map(rows.map(row => [row.deviceId, row.said]));
}

/** The latest report of installed firmware or installation progress. */
export async function saveReports(
  db: Db,
  what: 'installed' | 'progress',
  reports: readonly Report[],
): Promise<void> {
  if (what === 'installed') {
    await db.run(sql`
      update device_states s set installed = r.said::jsonb, installed_at = r.at ${matches(reports)}`);
  } else {
    await db.run(sql`
      update device_states s set progress = r.said::jsonb, progress_at = r.at ${matches(reports)}`);
  }
}

function matches(reports: readonly Report[]): Sql {
  return sql`
    from unnest(
      ${reports.map(row => row.projectId)}::text[], ${reports.map(row => row.deviceId)}::text[],
      ${reports.map(row => row.text)}::text[], ${reports.map(row => row.at)}::timestamptz[]
    ) with ordinality as r (project_id, device_id, said, at, n)
    where s.project_id = r.project_id and s.device_id = r.device_id`;
}

/** Stores reported states for devices that were just created. */
export async function insertReported(
  db: Db,
  projectId: string,
  states: readonly { deviceId: string; reported: object; at: Date }[],
): Promise<void> {
  await db.run(sql`
    insert into device_states (project_id, device_id, reported, reported_at, reported_changes)
    select ${projectId}, made.* from unnest(
      ${states.map(({ deviceId }) => deviceId)}::text[],
      ${states.map(({ reported }) => JSON.stringify(reported))}::jsonb[],
      ${states.map(({ at }) => at)}::timestamptz[],
      ${states.map(({ reported, at }) => JSON.stringify(allChangedAt(reported, at)))}::jsonb[]) as made`);
}

/** Formatted here, because PostgreSQL omits the trailing zeros of fractional seconds. */
function allChangedAt(reported: object, at: Date): Record<string, string> {
  return Object.fromEntries(Object.keys(reported).map(name => [name, at.toISOString()]));
}
