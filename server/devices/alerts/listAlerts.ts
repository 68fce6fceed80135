import {
  type Alert,
  type AlertCounts,
  type AlertSeverity,
  type AlertState,
  alertCountMax,
  alertSeverities,
  alertStates,
  type listAlerts,
} from '#contract/alert.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import type { ListDeclaration } from '#server/infra/db/list/declaration.ts';
import { type ListAnswer, listPage } from '#server/infra/db/list/listPage.ts';
import { type Db, join, type Sql, sql } from '#server/infra/db/sql.ts';
import { type AlertRow, alertColumns, toAlert } from './alert.ts';

/** Selects alerts of a project. All given conditions must match. */
export interface AlertFilter {
  projectId: string;
  state?: AlertState | undefined;
  severity?: AlertSeverity | undefined;
  deviceClass?: string | undefined;
  deviceId?: string | undefined;
  moduleId?: string | undefined;
  event?: string | undefined;
  homeId?: string | undefined;
  begin?: string | undefined;
  end?: string | undefined;
}

const alertList: ListDeclaration<AlertFilter, AlertRow, Alert> = {
  tables: [{ name: 'alerts', alias: 'a', id: 'id', conditions }],
  owner: { column: 'project_id', of: ({ projectId }) => projectId },
  idsAreGlobal: true,
  columns: alertColumns,
  toItem: toAlert,
  sortable: {
    // Ids sort by creation time.
    raisedAt: 'id',
    lastAt: { column: 'a.last_at', type: 'timestamptz', isIndexed: false },
    severity: { column: 'a.severity_order', type: 'bigint', isIndexed: true },
  },
  search: 'a.search',
  group: {
    column: 'state',
    of: ({ state }) => state,
    all: (_, max) => sql`select unnest(${[...alertStates]}::text[]) as id limit ${max}`,
  },
};

/** The conditions on `alerts a` besides project, state and search. */
function conditions(filter: AlertFilter): Sql[] {
  const { projectId, severity, deviceClass, deviceId, moduleId, event, homeId, begin, end } = filter;
  const parts: Sql[] = [];
  if (severity) parts.push(sql`a.severity_order = ${alertSeverities.indexOf(severity)}`);
  if (deviceClass !== undefined) parts.push(sql`a.device_class = ${deviceClass}`);
  if (deviceId !== undefined) parts.push(sql`a.device_id = ${deviceId}`);
  // An empty module id would select all alerts that devices raised.
  if (moduleId !== undefined) parts.push(sql`a.module_id = ${moduleId} and a.module_id <> ''`);
  if (event !== undefined) parts.push(sql`a.event = ${event} and a.module_id = ''`);
  if (homeId !== undefined)
    parts.push(
      sql`a.device_id in (select id from devices where project_id = ${projectId} and home_id = ${homeId})`,
    );
  if (begin !== undefined) parts.push(sql`a.ts >= ${new Date(begin)}`);
  if (end !== undefined) parts.push(sql`a.ts < ${new Date(end)}`);
  return parts;
}

export function checkTimes({ begin, end }: Pick<AlertFilter, 'begin' | 'end'>): void {
  if (begin === undefined || end === undefined || new Date(begin) < new Date(end)) return;
  throw new Problem('INVALID_RANGE', { message: 'The start must be before the end.' });
}

export async function alertsOf(
  call: Pick<Call<typeof listAlerts>, 'params' | 'query' | 'page' | 'now' | 'platform' | 'setHeader'>,
): Promise<ListAnswer<Alert>> {
  const { params, query, page, now, platform } = call;
  const { cursor, ...filter } = query;
  checkTimes(filter);
  const asked = { filter: { ...filter, ...params }, page, cursor, now };
  const answer = await listPage(platform.db, alertList, asked);
  if (answer.nextCursor) call.setHeader(nextCursorHeader, answer.nextCursor);
  return answer;
}

/** All conditions on `alerts a`, for actions on everything a list shows. */
export function matching(filter: AlertFilter & { search?: string | undefined }): Sql {
  const text = filter.search?.trim();
  return join(
    [
      sql`a.project_id = ${filter.projectId}`,
      ...(filter.state ? [sql`a.state = ${filter.state}`] : []),
      ...conditions(filter),
      ...(text ? [contains(sql`a.search`, text)] : []),
    ],
    ' and ',
  );
}

/** Each count uses an index and stops at the limit. */
export async function alertCountsOf(db: Db, projectId: string): Promise<AlertCounts> {
  const count = (where: Sql) => sql`(
    select count(*)::int from (
      select from alerts a where a.project_id = ${projectId} and ${where} limit ${alertCountMax}) a)`;
  const states = alertStates.map(state => count(sql`a.state = ${state}`));
  const severities = alertSeverities.map((_, at) =>
    count(sql`a.state = 'open' and a.severity_order = ${at}`),
  );
  const row = await db.one<{ states: number[]; severities: number[] }>(sql`
    select array[${join(states)}] as states, array[${join(severities)}] as severities`);
  const [open = 0, acknowledged = 0, resolved = 0] = row?.states ?? [];
  const [info = 0, warning = 0, critical = 0] = row?.severities ?? [];
  return { open, acknowledged, resolved, openBySeverity: { info, warning, critical } };
}
