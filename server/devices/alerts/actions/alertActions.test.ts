import { expect, it } from 'vitest';
import { type AlertAction, actOnAlerts, listAlerts, readAlertAction } from '#contract/alert.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { sql } from '#server/infra/db/sql.ts';
import { bulkStepSize as stepSize } from '#server/infra/jobs/bulkActionJob.ts';
import { anAlert } from '#test/alerts.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';

const at = aProjectWorld();

const act = (projectId: string, body: BodyOf<typeof actOnAlerts>) =>
  at.owner.client.call(actOnAlerts, { params: { projectId }, body });
const finished = (projectId: string, actionId: string): Promise<AlertAction> =>
  until(async () => {
    const action = await at.owner.client.call(readAlertAction, { params: { projectId, actionId } });
    return action.state === 'running' ? undefined : action;
  });
const countOf = async (projectId: string, query: object) =>
  (await at.owner.client.call(listAlerts, { params: { projectId }, query })).total;

async function aNoisyProject(count: number) {
  const { id: projectId } = await at.world.aProject(at.owner);
  const { id: deviceId } = await aDevice(at.owner, projectId);
  await at.world.platform.db.run(sql`
    insert into alerts (project_id, id, device_id, device_class, key, ts, last_at, severity, text)
    select ${projectId}, 'alr_' || lpad(n::text, 6, '0') || ${projectId}, ${deviceId}, 'x', 'k' || n, ${at.world.now()},
      ${at.world.now()}, case when n % 2 = 0 then 'info' else 'critical' end, 'x'
    from generate_series(1, ${count}::int) n`);
  return { projectId, deviceId };
}

it('named alerts are all changed, or none is', async () => {
  const { projectId, deviceId } = await aNoisyProject(0);
  const ids = await Promise.all(
    ['a', 'b'].map(async key => (await anAlert(at.world, { projectId, deviceId }, { key })).id),
  );
  await failing(act(projectId, { action: 'resolve', ids: [...ids, 'alr_none'] }), 'ALERT_NOT_FOUND');
  expect(await countOf(projectId, { state: 'open' })).toBe(2);
  const done = await act(projectId, { action: 'acknowledge', ids, note: 'Seen' });
  expect(done).toMatchObject({ state: 'done', total: 2, done: 2 });
  expect(await countOf(projectId, { state: 'acknowledged' })).toBe(2);
  await failing(act(projectId, { action: 'resolve' }), 'INVALID_FIELDS');
  await failing(act(projectId, { action: 'resolve', ids, matching: {} }), 'INVALID_FIELDS');
});

it('all matching alerts are changed, in any number, and no others', async () => {
  const { projectId } = await aNoisyProject(2 * stepSize + 50);
  const { id, total } = await act(projectId, { action: 'resolve', matching: { severity: 'critical' } });
  expect(total).toBe(stepSize + 25);
  expect(await finished(projectId, id)).toMatchObject({ state: 'done', done: stepSize + 25 });
  expect(await countOf(projectId, { state: 'resolved' })).toBe(stepSize + 25);
  expect(await countOf(projectId, { state: 'open', severity: 'info' })).toBe(stepSize + 25);
});

it('from a state: what somebody else has changed in the meantime stays as it is, and the answer says what changed', async () => {
  const { projectId, deviceId } = await aNoisyProject(0);
  const ids = await Promise.all(
    ['a', 'b'].map(async key => (await anAlert(at.world, { projectId, deviceId }, { key })).id),
  );
  const [first = '', second = ''] = ids;
  await act(projectId, { action: 'resolve', ids: [first] });
  const done = await act(projectId, { action: 'acknowledge', from: 'open', ids });
  expect(done.changed).toEqual([second]);
  expect(await countOf(projectId, { state: 'resolved' })).toBe(1);
  const none = await act(projectId, { action: 'reopen', from: 'acknowledged', ids: [first] });
  expect(none.changed).toEqual([]);
  const { id } = await act(projectId, { action: 'resolve', from: 'open', matching: {} });
  await finished(projectId, id);
  expect(await countOf(projectId, { state: 'acknowledged' })).toBe(1);
});
