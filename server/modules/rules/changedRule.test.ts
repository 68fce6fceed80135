import { afterEach, expect, it } from 'vitest';
import { editSmartModule } from '#contract/smartModule.ts';
import { sql } from '#server/infra/db/sql.ts';
import { findEvents } from '#server/modules/events/findEvents.ts';
import { insertRuns } from '#server/modules/runs/insertRuns.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import { aWorker, untilRuns } from '#test/modules.ts';
import { allDone, aRuleWorld, hotAlert } from '#test/ruleWorld.ts';
import { until } from '#test/until.ts';

const at = aRuleWorld({ ROLES: 'api,gateway' });
let worker: ReturnType<typeof aWorker> | undefined;
afterEach(() => worker?.stop());

it('a run that was chosen by the condition that a rule had before acts only if the new one holds as well', async () => {
  const { db, newId, clock } = at.world.platform;
  const { device, deviceClass, here } = await at.aSensor();
  await using _ = here;
  const rule = await at.aRule({ condition: 'state.temperature > 30', acts: 'each' }, deviceClass);
  await here.say('state', { temperature: 31 });
  await here.say('state', { temperature: 51 });
  const params = { projectId: at.projectId, moduleId: rule };
  const config = { condition: 'state.temperature > 50', acts: 'each', actions: [hotAlert] };
  await at.owner.client.call(editSmartModule, { params, body: { configData: config as never } });
  const reports = await db.many<{ id: string; seq: string }>(sql`
    select 'stc_' || floor(extract(epoch from ts) * 1000)::bigint || '_' || seq as id, seq::text from state_reports
    where device_id = ${device.id} and patch is not null order by seq`);
  const events = await findEvents(
    db,
    reports.map(({ id }) => ({ projectId: at.projectId, deviceId: device.id, id })),
  );
  // A dispatcher that does not know of the change yet.
  await insertRuns(
    db,
    reports.map(({ id, seq }) => ({
      id: newId('run'),
      projectId: at.projectId,
      moduleId: rule,
      state: 'waiting',
      seq,
      deviceId: device.id,
      event: events.get(id),
      causedBy: [],
    })),
    clock(),
  );
  // It has read these events.
  await db.run(sql`update smart_modules set since_tx = pg_current_xact_id() where id = ${rule}`);
  worker = aWorker(at.world, [typeOf('rule')]);
  const runs = await untilRuns(at.world, rule, allDone(2));
  expect(runs.map(({ state, summary }) => [state, summary])).toEqual([
    ['held', 'Not done: the rule was changed, and its condition does not hold for this event'],
    ['done', 'Raised “It is 51 °C”'],
  ]);
  const alerts = await until(async () => {
    const found = await at.alertsOf(device.id);
    return found.length > 0 ? found : undefined;
  });
  expect(alerts).toEqual([{ state: 'open', text: 'It is 51 °C' }]);
});
