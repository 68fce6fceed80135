import { endAlertSubscription, listAlertSubscriptions, setAlertSubscription } from '#contract/alertMail.ts';
import { Problem } from '#contract/problem.ts';
import { timeZoneNamed } from '#rules/time/timeZone.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { mailAlertsJob } from './mailAlerts.ts';
import { subscribe, subscriptionsOf, unsubscribe } from './store.ts';

export const alertMails: Slice = {
  tables: { alert_subscriptions: 'A developer who gets e-mails about the alerts of a project.' },
  jobs: platform => ({ tasks: { mailAlerts: mailAlertsJob(platform) } }),
  schedule: [{ task: 'mailAlerts', at: '* * * * *' }],
  routes: [
    on(listAlertSubscriptions, ({ db, params }) => subscriptionsOf(db, params.developerId)),
    on(setAlertSubscription, set),
    on(endAlertSubscription, async ({ db, params, me }) => {
      await unsubscribe(db, { ...params, developerId: me.developerId });
    }),
  ],
};

async function set({ db, params, body, me, now }: Call<typeof setAlertSubscription>) {
  const { quiet } = body;
  const timeZone = quiet && timeZoneNamed(quiet.timeZone);
  if (quiet && timeZone === undefined)
    throw new Problem('TIME_ZONE_UNKNOWN', { fields: { timeZone: 'TIME_ZONE_UNKNOWN' } });
  const { developerId } = me;
  const given = { ...body, ...(quiet && timeZone !== undefined && { quiet: { ...quiet, timeZone } }) };
  await subscribe(db, { ...params, developerId }, given, now);
  const all = await subscriptionsOf(db, developerId);
  const kept = all.find(({ projectId }) => projectId === params.projectId);
  if (!kept) throw new Problem('PROJECT_NOT_FOUND');
  return kept;
}
