import { alertSeverities } from '#contract/alert.ts';
import {
  type AlertGroup,
  type AlertGrouping,
  type AlertGroups,
  alertGroupsMax,
  groupedAlertsMax,
  raisedHours,
} from '#contract/alertGroup.ts';
import { hourMs } from '#rules/time/durations.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { type AlertRow, alertColumns, toAlert } from './alert.ts';
import { causeOf } from './causeOf.ts';
import { type AlertFilter, checkTimes, matching } from './listAlerts.ts';

interface Wanted extends AlertFilter {
  by: AlertGrouping;
  search?: string | undefined;
}

interface GroupRow extends AlertRow {
  groupId: string;
  worst: number;
  alerts: string;
  devices: string;
  firstRaisedAt: Date;
  total: string;
  alertsInAll: string;
}

/** The group of `alerts a`. */
const groupOf: Record<AlertGrouping, Sql> = {
  cause: causeOf,
  device: sql`a.device_id`,
};

type Group = Omit<AlertGroup, 'raisedPerHour'>;

/** Alerts by what they have in common, the worst first, with how many were raised in each of the last hours. */
export async function groupAlerts(db: Db, wanted: Wanted, now: Date): Promise<AlertGroups> {
  const { groups, ...totals } = await alertGroupsOf(db, wanted, alertGroupsMax);
  const raised = await raisedPerHour(db, wanted, now);
  return {
    ...totals,
    groups: groups.map(group => ({ ...group, raisedPerHour: raised.get(group.id) ?? noHours() })),
  };
}

/** The first groups, and how many alerts and groups there are. */
export async function alertGroupsOf(
  db: Db,
  wanted: Wanted,
  max: number,
): Promise<Omit<AlertGroups, 'groups'> & { groups: Group[] }> {
  checkTimes(wanted);
  const rows = await db.many<GroupRow>(sql`
    with found as (
      select a.id, ${groupOf[wanted.by]} as group_id, a.severity_order, a.device_id, a.ts, a.last_at
      from alerts a where ${matching(wanted)} order by a.id desc limit ${groupedAlertsMax}
    ), groups as (
      select group_id, max(severity_order) as worst, count(*) as alerts, count(distinct device_id) as devices,
        min(ts) as first_raised_at, max(last_at) as newest_at,
        (array_agg(id order by last_at desc, id desc))[1] as newest,
        count(*) over () as total, sum(count(*)) over () as alerts_in_all
      from found group by group_id order by worst desc, newest_at desc, group_id limit ${max}
    )
    select ${alertColumns}, g.group_id as "groupId", g.worst, g.alerts, g.devices,
      g.first_raised_at as "firstRaisedAt", g.total, g.alerts_in_all as "alertsInAll"
    from groups g join alerts a on a.project_id = ${wanted.projectId} and a.id = g.newest
    order by g.worst desc, g.newest_at desc, g.group_id`);
  return {
    alerts: Number(rows[0]?.alertsInAll ?? 0),
    total: Number(rows[0]?.total ?? 0),
    groups: rows.map(toGroup),
  };
}

const toGroup = (row: GroupRow): Group => ({
  id: row.groupId,
  severity: alertSeverities[row.worst] ?? row.severity,
  alerts: Number(row.alerts),
  devices: Number(row.devices),
  raisedAt: row.firstRaisedAt.toISOString(),
  lastAt: row.lastAt.toISOString(),
  newest: toAlert(row),
});

const noHours = () => Array.from<number>({ length: raisedHours }).fill(0);

/** How many alerts of each group were raised in each of the last hours, the oldest first. */
async function raisedPerHour(
  db: Db,
  { by, projectId }: Pick<Wanted, 'by' | 'projectId'>,
  now: Date,
): Promise<Map<string, number[]>> {
  const begin = new Date(now.getTime() - raisedHours * hourMs);
  const rows = await db.many<{ groupId: string; hour: number; raised: string }>(sql`
    select group_id as "groupId", floor(extract(epoch from ts - ${begin}) / 3600)::int as hour, count(*) as raised
    from (
      select ${groupOf[by]} as group_id, a.ts from alerts a
      where a.project_id = ${projectId} and a.ts > ${begin} and a.ts <= ${now}
      order by a.ts desc limit ${groupedAlertsMax}
    ) a group by 1, 2`);
  const groups = new Map<string, number[]>();
  for (const { groupId, hour, raised } of rows) {
    const hours = groups.get(groupId) ?? noHours();
    hours[Math.min(hour, raisedHours - 1)] = Number(raised);
    groups.set(groupId, hours);
  }
  return groups;
}
