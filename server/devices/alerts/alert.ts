import type { Alert, AlertBy, AlertChange, AlertDetail, AlertSeverity, AlertState } from '#contract/alert.ts';
import { Problem } from '#contract/problem.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';

export interface AlertRow {
  id: string;
  projectId: string;
  deviceId: string;
  deviceClass: string;
  device: { name: string; tag: string; homeId: string | null } | null;
  severity: AlertSeverity;
  text: string;
  /** Not named `key`, because the list engine sorts by that name. */
  alertKey: string;
  state: AlertState;
  isCurrent: boolean;
  count: string;
  ts: Date;
  lastAt: Date;
  stateAt: Date | null;
  stateBy: AlertBy | null;
  stateNote: string;
  event: string | null;
  eventId: string | null;
  moduleId: string;
  runId: string | null;
  revision: number;
}

/** Columns of `alerts a`. */
export const alertColumns: Sql = sql`
  a.id, a.project_id as "projectId", a.device_id as "deviceId", a.device_class as "deviceClass", a.severity, a.text, a.key as "alertKey",
  a.state, a.is_current as "isCurrent", a.count, a.ts, a.last_at as "lastAt", a.state_at as "stateAt",
  a.state_by as "stateBy", a.state_note as "stateNote", a.event, a.event_id as "eventId", a.module_id as "moduleId",
  a.run_id as "runId", a.revision, (
    select json_build_object('name', d.name, 'tag', d.tag, 'homeId', d.home_id::text)
    from devices d where d.project_id = a.project_id and d.id = a.device_id) as device`;

/** When an open one of `alerts` was raised, or opened again. */
export const openedAt: Sql = sql`greatest(ts, state_at)`;

export function toAlert(row: AlertRow): Alert {
  const {
    id,
    projectId,
    deviceId,
    device,
    deviceClass,
    severity,
    text,
    alertKey: key,
    state,
    revision,
  } = row;
  return {
    id,
    projectId,
    deviceId,
    deviceName: device?.name ?? '',
    deviceTag: device?.tag ?? '',
    deviceClass,
    ...(device?.homeId && { homeId: device.homeId }),
    severity,
    text,
    key,
    state,
    count: Number(row.count),
    raisedAt: row.ts.toISOString(),
    lastAt: row.lastAt.toISOString(),
    ...changeIn(row),
    source: sourceOf(row),
    revision,
  };
}

export const changeIn = ({
  stateAt,
  stateBy,
  stateNote,
}: Pick<AlertRow, 'stateAt' | 'stateBy' | 'stateNote'>) =>
  stateAt && stateBy && { change: { at: stateAt.toISOString(), by: stateBy, note: stateNote } };

function sourceOf({ moduleId, runId, event, eventId }: AlertRow): Alert['source'] {
  if (moduleId !== '') return { kind: 'module', moduleId, runId: runId ?? '' };
  return { kind: 'device', event: event ?? '', eventId: eventId ?? '' };
}

declare module '#server/api/access/access.ts' {
  interface Rows {
    alert: AlertRow;
  }
}

export const alertResource: Resource<AlertRow> = {
  notFound: 'ALERT_NOT_FOUND',
  find: (db, { alertId = '' }, caller) =>
    findInProject<AlertRow>(db, caller, {
      columns: alertColumns,
      from: sql`alerts a`,
      alias: 'a',
      where: sql`a.id = ${alertId}`,
    }),
};

export async function findAlert(
  db: Db,
  { projectId, id }: Pick<AlertRow, 'projectId' | 'id'>,
): Promise<AlertRow> {
  const row = await db.one<AlertRow>(sql`
    select ${alertColumns} from alerts a where a.project_id = ${projectId} and a.id = ${id}`);
  if (!row) throw new Problem('ALERT_NOT_FOUND');
  return row;
}

/** The alert with its recorded changes. */
export async function detailOf(db: Db, row: AlertRow): Promise<AlertDetail> {
  return { ...toAlert(row), changes: await changesOf(db, row) };
}

async function changesOf(
  db: Db,
  { projectId, id }: Pick<AlertRow, 'projectId' | 'id'>,
): Promise<AlertChange[]> {
  const rows = await db.many<
    Omit<AlertChange, 'at' | 'severity'> & { at: Date; severity: AlertSeverity | null }
  >(sql`
    select at, what, severity, by, note from alert_changes
    where project_id = ${projectId} and alert_id = ${id} order by number`);
  return rows.map(({ at, severity, ...row }) => ({
    ...row,
    at: at.toISOString(),
    ...(severity !== null && { severity }),
  }));
}
