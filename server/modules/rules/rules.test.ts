import { describe, expect, it } from 'vitest';
import { readModuleFigures, resendModuleRun, testSmartModule } from '#contract/moduleRun.ts';
import { checkModuleConfig, editSmartModule } from '#contract/smartModule.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { inert } from '#server/mail/sending/names.ts';
import { releaseDevices } from '#server/people/homeDevices/releaseDevices.ts';
import { aHome, inHome } from '#test/homes.ts';
import { runsOf, untilRuns } from '#test/modules.ts';
import { allDone, aRuleWorld, hotAlert } from '#test/ruleWorld.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';

const at = aRuleWorld();
const { aRule, aSensor, waitsOf } = at;

describe('a rule', () => {
  it('acts once when its condition becomes true, and resolves its alert when it no longer holds', async () => {
    const { device, deviceClass, here } = await aSensor();
    await using _ = here;
    const rule = await aRule({ condition: 'state.temperature > 30' }, deviceClass);
    for (const temperature of [29, 31, 32, 33]) await here.say('state', { temperature });
    const [first] = await untilRuns(at.world, rule, allDone(1));
    expect(first?.summary).toBe('Raised “It is 31 °C”');
    at.world.pass(2000);
    for (const temperature of [20, 21]) await here.say('state', { temperature });
    const runs = await untilRuns(at.world, rule, allDone(2));
    expect(runs.map(({ summary }) => summary)).toEqual(['Raised “It is 31 °C”', 'Alert resolved']);
    expect(runs.every(({ deviceId }) => deviceId === device.id)).toBe(true);
  });

  it('resolves its alert on an event that alone shows that the condition no longer holds', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const actions = [{ kind: 'alert', severity: 'warning', text: 'Pressed hard' }];
    const rule = await aRule({ condition: 'event.payload.times > 30', actions }, deviceClass, ['pressed']);
    for (const times of [1, 31, 32]) await here.say('events/pressed', { times });
    await untilRuns(at.world, rule, allDone(1));
    at.world.pass(2000);
    for (const times of [2, 3]) await here.say('events/pressed', { times });
    const runs = await untilRuns(at.world, rule, allDone(2));
    expect(runs.map(({ summary }) => summary)).toEqual(['Raised “Pressed hard”', 'Alert resolved']);
  });

  it('that was only tested carries out nothing when the test is repeated', async () => {
    const { device, deviceClass, here } = await aSensor();
    await using _ = here;
    const actions = [{ kind: 'command', name: 'open' }];
    const rule = await aRule({ condition: 'state.temperature > 30', actions }, deviceClass);
    await here.say('state', { temperature: 20 });
    const params = { projectId: at.projectId, moduleId: rule };
    const tested = await at.owner.client.call(testSmartModule, { params, body: {} });
    expect(tested.summary).toBe('The condition is not true');
    const [run] = await runsOf(at.world, rule);
    await at.owner.client.call(resendModuleRun, { params: { ...params, runId: run?.id ?? '' } });
    const [again] = await untilRuns(at.world, rule, allDone(1));
    expect(again?.summary).toBe(tested.summary);
    const sent = sql`select 1 from device_commands where device_id = ${device.id}`;
    expect(await at.world.platform.db.many(sent)).toEqual([]);
  });

  it('forgets its state for a device that leaves its home', async () => {
    const { device, deviceClass, here } = await aSensor();
    await using _ = here;
    const { platform } = at.world;
    await inHome(at.world, await aHome(at.world, at.projectId), [device.id]);
    const rule = await aRule({ condition: 'state.temperature > 30', forS: 300 }, deviceClass);
    await here.say('state', { temperature: 31 });
    const remembered = () =>
      platform.db.many(sql`select 1 from rule_states where module_id = ${rule} and device_id = ${device.id}`);
    await until(async () => ((await remembered()).length === 1 ? true : undefined));
    at.world.pass(1000);
    await platform.db.tx(db =>
      releaseDevices(db, platform, {
        projectId: at.projectId,
        deviceIds: [device.id],
        now: at.world.now(),
      }),
    );
    await until(async () => ((await remembered()).length === 0 ? true : undefined));
  });

  it('sends an e-mail when a sensor is above 30 for five minutes, without another event', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const subject = unique('Too hot');
    const text = 'It is {{ state.temperature }} °C.';
    const mail = { kind: 'email', subject: `${subject}: {{ state.note }} {{ state.temperature }}`, text };
    const rule = await aRule(
      { condition: 'state.temperature > 30', forS: 300, actions: [mail] },
      deviceClass,
    );
    await here.say('state', { temperature: 31.5, note: 'Win at http://spam.example now' });
    await here.say('state', { temperature: 29 });
    const last = at.world.now();
    await here.say('state', { temperature: 32.5 });
    await until(async () => (await waitsOf(rule, last)) || undefined);
    expect(await runsOf(at.world, rule)).toEqual([]);
    at.world.pass(5 * minuteMs);
    const runs = await untilRuns(at.world, rule, allDone(1));
    expect(runs.map(({ state, summary }) => [state, summary])).toEqual([
      ['done', `To ${at.owner.developer.email}`],
    ]);
    const { platform } = at.world;
    const mails = await platform.db.many(sql`
      select subject from mails where subject like ${`${subject}%`}`);
    // Text from a device does not become a link.
    expect(mails).toEqual([{ subject: `${subject}: ${inert('Win at http://spam.example now')} 32.5` }]);
  });

  it('tells for how many devices it will act soon, and when', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const rule = await aRule({ condition: 'state.temperature > 30', forS: 300 }, deviceClass);
    const params = { projectId: at.projectId, moduleId: rule };
    const holding = async () => (await at.owner.client.call(readModuleFigures, { params })).holding;
    expect(await holding()).toBeUndefined();
    await here.say('state', { temperature: 31 });
    const { devices, actsAt } = await until(holding);
    const inMinutes = (Date.parse(actsAt) - at.world.now().getTime()) / minuteMs;
    expect([devices, Math.round(inMinutes)]).toEqual([1, 5]);
    await here.say('state', { temperature: 29 });
    await until(async () => (await holding()) === undefined || undefined);
  });

  it('whose condition has not held for long enough does nothing', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const rule = await aRule({ condition: 'state.temperature > 30', forS: 300 }, deviceClass);
    await here.say('state', { temperature: 31 });
    await until(async () => (await waitsOf(rule)) || undefined);
    at.world.pass(4 * minuteMs);
    await here.say('state', { temperature: 29 });
    await until(async () => !(await waitsOf(rule)) || undefined);
    at.world.pass(4 * minuteMs);
    const other = await aRule({ condition: 'state.temperature < 30' }, deviceClass);
    await here.say('state', { temperature: 28 });
    await untilRuns(at.world, other, allDone(1));
    expect(await runsOf(at.world, rule)).toEqual([]);
  });

  it('acts for each event if its condition checks no values', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const command = { kind: 'command', name: 'flash', args: { times: '{{ event.payload.times }}' } };
    const rule = await aRule({ condition: 'true', everyS: 60, actions: [command] }, deviceClass, ['pressed']);
    await here.say('events/pressed', { times: 2 });
    await untilRuns(at.world, rule, allDone(1));
    await here.say('events/pressed', { times: 3 });
    const early = await untilRuns(at.world, rule, allDone(2));
    expect(early.map(({ state }) => state)).toEqual(['done', 'held']);
    at.world.pass(minuteMs);
    await here.say('events/pressed', { times: 4 });
    await untilRuns(at.world, rule, allDone(3));
    const sent = await at.world.platform.db.many<{ args: unknown; by: string }>(sql`
      select args, sent_by ->> 'id' as by from device_commands where project_id = ${at.projectId} and name = 'flash'
      order by id`);
    expect(sent).toEqual([
      { args: { times: 2 }, by: rule },
      { args: { times: 4 }, by: rule },
    ]);
  });

  it('is checked against the schema of the class, and errors have their position', async () => {
    const stateSchema = { type: 'object', properties: { temperature: { type: 'number' } } };
    const { id: deviceClass } = await at.deviceClass({ stateSchema });
    const refusals = [
      ['state.temprature > 30', 'do not report `temprature`. Did you mean `temperature`?', 6, 16],
      ['state.temperature > "x"', '`>` does not work with a number and a text.', 0, 23],
      ['state.temperature', 'A condition must be true or false', 0, 17],
      ['state.temperature >', 'Something is missing at the end.', 18, 19],
    ] as const;
    for (const [condition, message, from, to] of refusals)
      await expect(aRule({ condition }, deviceClass)).rejects.toMatchObject({
        reason: 'INVALID_MODULE_CONFIG',
        context: {
          faults: [{ pointer: '/condition', message: expect.stringContaining(message) as string, from, to }],
        },
      });
    const text = 'It is {{ state.tmp }}';
    await expect(
      aRule({ condition: 'true', actions: [{ ...hotAlert, text }] }, deviceClass),
    ).rejects.toMatchObject({ context: { faults: [{ pointer: '/actions/0/text', from: 15, to: 18 }] } });
  });

  it('is told what is wrong with its condition while its actions are incomplete', async () => {
    const stateSchema = { type: 'object', properties: { temperature: { type: 'number' } } };
    const { id: deviceClass } = await at.deviceClass({ id: unique('thermostat'), stateSchema });
    const { faults } = await at.owner.client.call(checkModuleConfig, {
      params: { projectId: at.projectId },
      body: {
        moduleType: 'rule',
        deviceClasses: [deviceClass],
        configData: {
          condition: 'state.temp < 6',
          actions: [
            { kind: 'alert', text: '' },
            { ...hotAlert, text: '{{ state.tmp }}' },
          ],
        } as never,
      },
    });
    expect(faults.map(({ pointer }) => pointer)).toEqual([
      '/actions/0/text',
      '/condition',
      '/actions/1/text',
    ]);
    expect(faults[1]?.message).toMatch(/do not report `temp`\. Did you mean `temperature`\?$/);
  });

  it('starts with a new state when its condition changes', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const rule = await aRule({ condition: 'state.temperature > 30' }, deviceClass);
    await here.say('state', { temperature: 31 });
    await untilRuns(at.world, rule, allDone(1));
    await at.owner.client.call(editSmartModule, {
      params: { projectId: at.projectId, moduleId: rule },
      body: { configData: { condition: 'state.temperature > 31', actions: [hotAlert] } as never },
    });
    at.world.pass(2000);
    await here.say('state', { temperature: 32 });
    const runs = await untilRuns(at.world, rule, allDone(2));
    expect(runs.map(({ summary }) => summary)).toEqual([
      'Raised “It is 31 °C”',
      '“It is 32 °C” counted again',
    ]);
  });
});
