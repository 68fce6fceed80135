import { changeAlert, listAlerts, readAlert, readAlertCounts } from '#contract/alert.ts';
import { listAlertGroups } from '#contract/alertGroup.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import type { Platform } from '#server/infra/platform.ts';
import { alertResource, detailOf, toAlert } from './alert.ts';
import { byActor, forgetUserInAlerts } from './changeAlerts.ts';
import { changeOne } from './changeOne.ts';
import { groupAlerts } from './groupAlerts.ts';
import { alertCountsOf, alertsOf } from './listAlerts.ts';
import { wipeAlerts } from './wipeAlerts.ts';

/** The age counts from the last report, so that alerts that are still reported are kept, however old they are. */
const alertChore: Chore = {
  name: 'alerts',
  deletes: now => sql`
    delete from alerts where (project_id, id) in (
      select old.project_id, old.id from projects p cross join lateral (
        select a.project_id, a.id from alerts a
        where a.project_id = p.id and a.ts < ${now}::timestamptz - make_interval(days => p.alert_retention_period)
          and greatest(a.last_at, a.state_at)
            < ${now}::timestamptz - make_interval(days => p.alert_retention_period)
        limit ${batch}) as old
      limit ${batch}) returning 1`,
};

/**
 * Alerts of transactions that this database has not reached yet come from a backup. They count as opened long ago:
 * otherwise, they would look new to the alert e-mails once the ids have caught up.
 */
async function settleRestored({ db }: Pick<Platform, 'db'>): Promise<void> {
  await db.run(sql`
    update alerts set opened_tx = '3'
    where state = 'open' and opened_tx > pg_snapshot_xmax(pg_current_snapshot())`);
}

export const alerts: Slice = {
  tables: {
    alerts: 'A problem with a device, reported once or many times.',
    alert_changes: 'A change to an alert, and who made it.',
  },
  idPrefixes: ['alr'],
  hourly: settleRestored,
  chores: [alertChore],
  wipesReleased: wipeAlerts,
  forgetsUser: forgetUserInAlerts,
  resources: { alert: alertResource },
  routes: [
    on(listAlerts, call => alertsOf(call)),
    on(readAlertCounts, ({ db, params }) => alertCountsOf(db, params.projectId)),
    on(listAlertGroups, ({ db, params, query, now }) => groupAlerts(db, { ...query, ...params }, now)),
    on(readAlert, ({ db, row }) => detailOf(db, row)),
    on(changeAlert, change),
  ],
};

async function change(call: Call<typeof changeAlert>) {
  const { db, row, body, now } = call;
  const { said, alert } = await changeOne(db, row, body, { by: byActor(actorOf(call)), now });
  call.before = { ...toAlert(row), said };
  return toAlert(alert);
}
