import { type AlertAction, actOnAlerts, readAlertAction } from '#contract/alert.ts';
import { Problem } from '#contract/problem.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { byActor, changeAlerts, lockAlerts } from '#server/devices/alerts/changeAlerts.ts';
import { checkTimes } from '#server/devices/alerts/listAlerts.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { alertActionJob } from './alertActionJob.ts';
import { alertActionStore, changeOf, countAlerts, toAction } from './store.ts';

export const alertActions: Slice = {
  tables: { alert_actions: 'A bulk action on alerts and its progress.' },
  jobs: platform => ({ tasks: { actOnAlerts: alertActionJob(platform) } }),
  chores: [alertActionStore.chore],
  routes: [
    on(actOnAlerts, async call => {
      const { ids, matching } = call.body;
      if ((ids === undefined) === (matching === undefined))
        throw new Problem('INVALID_FIELDS', { fields: { ids: 'ONE_OF', matching: 'ONE_OF' } });
      return ids ? actOnNamed(call, [...new Set(ids)]) : actOnMatching(call);
    }),

    on(readAlertAction, async ({ db, params }) => {
      const row = await alertActionStore.find(db, params.projectId, params.actionId);
      if (!row) throw new Problem('ACTION_NOT_FOUND');
      return toAction(row);
    }),
  ],
};

const done = { acknowledge: 'acknowledged', resolve: 'resolved', reopen: 'reopened' };
const count = (total: number) => `${total.toLocaleString('en')} ${total === 1 ? 'alert' : 'alerts'}`;

function askedBy(call: Call<typeof actOnAlerts>) {
  const { action, ...given } = call.body;
  const asked = { ...given, by: byActor(actorOf(call)) };
  return { id: call.platform.newId('act'), projectId: call.params.projectId, action, asked };
}

/** All of them or none. */
async function actOnNamed(call: Call<typeof actOnAlerts>, ids: string[]): Promise<AlertAction> {
  const { db, now } = call;
  const given = askedBy(call);
  const { projectId, action, asked } = given;
  const there = await lockAlerts(db, projectId, ids);
  if (there.length < ids.length) {
    const found = new Set(there.map(({ id }) => id));
    throw new Problem('ALERT_NOT_FOUND', { context: { ids: ids.filter(id => !found.has(id)) } });
  }
  const changed = await changeAlerts(db, projectId, there, changeOf(action, asked, now));
  const texts = there.filter(({ id }) => changed.includes(id)).map(({ text }) => text);
  const said = `${count(changed.length)} ${done[action]}`;
  call.before = { said: texts.length === 0 ? said : `${said}: ${texts.join(', ')}` };
  const withChanged = { ...given, asked: { ...asked, changed } };
  return toAction(
    await alertActionStore.insert(db, { ...withChanged, state: 'done', total: ids.length, now }),
  );
}

async function actOnMatching(call: Call<typeof actOnAlerts>): Promise<AlertAction> {
  const { db, now } = call;
  const given = askedBy(call);
  const { projectId, action, asked } = given;
  checkTimes(asked.matching ?? {});
  const total = await countAlerts(db, { ...asked.matching, projectId });
  call.before = { said: `${count(total)} to be ${done[action]}` };
  const row = await alertActionStore.insert(db, { ...given, state: 'running', total, now });
  await enqueue(db, 'actOnAlerts', { projectId, actionId: given.id });
  return toAction(row);
}
