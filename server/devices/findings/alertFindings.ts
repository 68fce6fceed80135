import { causesShownMax, type Finding, findingsMax } from '#contract/finding.ts';
import { openedAt } from '#server/devices/alerts/alert.ts';
import { alertGroupsOf } from '#server/devices/alerts/groupAlerts.ts';
import { matching } from '#server/devices/alerts/listAlerts.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { inCommon } from './inCommon.ts';

type Group = NonNullable<Finding['alerts']>;

/** One finding for each cause of critical alerts, as the alert list groups them. */
export async function criticalFindings(db: Db, projectId: string): Promise<Finding[]> {
  const wanted = { projectId, by: 'cause', state: 'open', severity: 'critical' } as const;
  const { groups } = await alertGroupsOf(db, wanted, causesShownMax);
  return Promise.all(groups.map(group => findingOf(db, projectId, group)));
}

async function findingOf(db: Db, projectId: string, group: Group): Promise<Finding> {
  const { id, newest, alerts } = group;
  const { deviceId, deviceName, deviceTag } = newest;
  const of = { projectId, state: 'open', severity: 'critical', ...causeIn(group) } as const;
  const row = await db.one<{ opened: Date | null; ids: string[] | null }>(sql`
    select max(opened_at) as opened, array_agg(distinct device_id) as ids from (
      select ${openedAt} as opened_at, a.device_id from alerts a where ${matching(of)}
      order by a.id desc limit ${findingsMax}) a`);
  return {
    id: `alert:${id}`,
    signal: 'alert',
    alerts: group,
    count: alerts,
    since: group.raisedAt,
    at: row?.opened?.toISOString() ?? newest.raisedAt,
    devices: [{ id: deviceId, name: deviceName, tag: deviceTag }],
    causes: [{ text: newest.text, count: alerts }],
    common: await inCommon(db, projectId, { deviceIds: row?.ids ?? [] }),
  };
}

const causeIn = ({ newest: { source } }: Group) =>
  source.kind === 'module' ? { moduleId: source.moduleId } : { event: source.event };
