import type { AlertSeverity } from '#contract/alert.ts';
import { alertMailMinutes } from '#rules/devices/alertLimits.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { quietUntil } from '#rules/time/quietHours.ts';
import { consoleUrl } from '#server/accounts/developers/mailTo.ts';
import { settled } from '#server/infra/db/settled.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';
import { alertLetter } from './alertLetter.ts';
import { unsubscribeUrl } from './endMailsLink.ts';
import { quietIn } from './store.ts';
import { alertCountMax, untold, untoldCauses } from './toldAlerts.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    mailAlerts: Record<string, never>;
  }
}

/** Subscriptions checked per minute; the next run continues after the last of them. */
const subscriptionsMax = 1_000;
interface Due {
  projectId: string;
  developerId: string;
  projectName: string;
  severity: AlertSeverity;
  quietFrom: string | null;
  quietTo: string | null;
  timeZone: string | null;
  orgId: string;
  email: string;
  name: string;
}

/** Job that e-mails developers the alerts they subscribed to, at limited intervals and never in quiet hours. */
export function mailAlertsJob(platform: Platform, max = subscriptionsMax): Task<'mailAlerts'> {
  let after = { projectId: '', developerId: '' };
  return async (_, { signal }) => {
    const { db, clock, log } = platform;
    // A `seen_tx` in the future comes from a restored backup of a database whose transaction ids were higher.
    await db.run(sql`
      update alert_subscriptions set seen_tx = array[${settled}, ${settled}, ${settled}]
      where pg_snapshot_xmax(pg_current_snapshot()) < any(seen_tx)`);
    const now = clock();
    const isNext = sql`and (s.project_id, s.developer_id) > (${after.projectId}, ${after.developerId})`;
    const all = await dueAt(db, now, { which: isNext, max });
    for (const due of all) {
      if (signal?.aborted) return;
      const quiet = quietIn(due);
      if (quiet && quietUntil(quiet, now)) continue;
      await platform.db
        .tx(tx => queueAlertMail(tx, platform, due, now))
        .catch(error =>
          log('warn', 'A developer could not be told of alerts', {
            projectId: due.projectId,
            error: String(error),
          }),
        );
    }
    const { projectId = '', developerId = '' } = (all.length === max && all.at(-1)) || {};
    after = { projectId, developerId };
  };
}

function dueAt(db: Db, now: Date, { which, max }: { which: Sql; max: number }): Promise<Due[]> {
  const since = new Date(now.getTime() - alertMailMinutes * minuteMs);
  return db.many<Due>(sql`
    select s.project_id as "projectId", s.developer_id as "developerId", p.name as "projectName", s.severity,
      s.quiet_from as "quietFrom", s.quiet_to as "quietTo", s.time_zone as "timeZone", p.org_id as "orgId", d.email, d.name
    from alert_subscriptions s
    join projects p on p.id = s.project_id and p.deleted_at is null
    join developers d on d.id = s.developer_id and d.verified and not d.suspended
    where (s.mailed_at is null or s.mailed_at <= ${since}) and exists (select ${untold(settled)}) ${which}
    order by s.project_id, s.developer_id limit ${max}`);
}

/**
 * Stores the e-mail together with the point up to which it reports, so that an alert is reported once even after a
 * crash.
 */
async function queueAlertMail(
  db: Db,
  platform: Platform,
  { projectId, developerId, ...due }: Due,
  now: Date,
): Promise<void> {
  const key = sql`s.project_id = ${projectId} and s.developer_id = ${developerId}`;
  const locked = await db.one(sql`select 1 as found from alert_subscriptions s where ${key} for update`);
  // Another process was faster, or the subscription has ended.
  if (!locked || (await dueAt(db, now, { which: sql`and ${key}`, max: 1 })).length === 0) return;
  const told = await untoldCauses(db, key);
  if (!told?.count) return;
  const letter = alertLetter({
    baseUrl: await consoleUrl(db, platform, due.orgId),
    name: due.name,
    project: { id: projectId, name: due.projectName },
    causes: told.causes,
    causeCount: told.causeCount,
    count: told.count,
    isAtLeast: told.count >= alertCountMax,
    severity: due.severity,
    unsubscribeUrl: unsubscribeUrl(platform, { projectId, developerId }),
  });
  await queueMail(db, platform, { to: due.email, letter });
  await db.run(sql`
    update alert_subscriptions s set mailed_at = ${now},
      seen_tx = (select array_agg(greatest(seen, ${told.upTo}::text::xid8) order by n) from unnest(s.seen_tx) with ordinality x (seen, n))
    where ${key}`);
}
