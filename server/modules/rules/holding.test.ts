import { describe, expect, it } from 'vitest';
import { editSmartModule } from '#contract/smartModule.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { untilRuns } from '#test/modules.ts';
import { allDone, aRuleWorld, hotAlert } from '#test/ruleWorld.ts';
import { until } from '#test/until.ts';

const at = aRuleWorld();
const { aRule, aSensor, alertsOf, waitsOf } = at;

describe('a rule', () => {
  it('whose condition holds has an open alert, also if it became true again within its minimum interval', async () => {
    const { device, deviceClass, here } = await aSensor();
    await using _ = here;
    const rule = await aRule({ condition: 'state.temperature > 30', everyS: 600 }, deviceClass);
    for (const temperature of [31, 29, 32]) await here.say('state', { temperature });
    await untilRuns(at.world, rule, allDone(3));
    expect(await alertsOf(device.id)).toEqual([{ state: 'open', text: 'It is 32 °C' }]);
    await here.say('state', { temperature: 29 });
    await untilRuns(at.world, rule, allDone(4));
    expect(await alertsOf(device.id)).toEqual([{ state: 'resolved', text: 'It is 32 °C' }]);
  });

  it('that is held back when its condition becomes true acts once its minimum interval is over', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const heat = { kind: 'command', name: 'heat' };
    const rule = await aRule(
      { condition: 'state.temperature < 18', everyS: 600, actions: [heat] },
      deviceClass,
    );
    for (const temperature of [17, 19, 16]) await here.say('state', { temperature });
    const runs = await untilRuns(at.world, rule, allDone(2));
    const later =
      'It acted for this device less than 600 s earlier, and acts then if the condition still holds';
    expect(runs.map(({ state, summary }) => [state, summary])).toEqual([
      ['done', 'heat queued'],
      ['held', later],
    ]);
    at.world.pass(10 * minuteMs);
    const [, , last] = await untilRuns(at.world, rule, allDone(3));
    expect(last?.summary).toBe('heat queued');
  });

  it('that waits is judged by the values of the time at which it acts', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const condition = 'device.connectedFor < duration("1m") && state.temperature > 30';
    const rule = await aRule({ condition, forS: 300 }, deviceClass);
    await here.say('state', { temperature: 31 });
    await until(async () => (await waitsOf(rule)) || undefined);
    at.world.pass(5 * minuteMs);
    const [run] = await untilRuns(at.world, rule, allDone(1));
    expect(run?.summary).toBe('Not done: by then the condition no longer held');
  });

  it('that did not act because a mean had fallen by then starts over', async () => {
    const { deviceClass, here } = await aSensor();
    await using _ = here;
    const text = 'Mean {{ mean(state.power, 2) }}';
    const actions = [{ ...hotAlert, text }];
    const rule = await aRule({ condition: 'mean(state.power, 2) > 50', forS: 300, actions }, deviceClass);
    await here.say('state', { power: 100 });
    at.world.pass(minuteMs);
    await here.say('state', { power: 100, n: 1 });
    await until(async () => (await waitsOf(rule)) || undefined);
    await here.say('state', { power: 0 });
    at.world.pass(5 * minuteMs);
    const [run] = await untilRuns(at.world, rule, allDone(1));
    expect(run?.summary).toBe('Not done: by then the condition no longer held');
    const holding = sql`select holds from rule_states where module_id = ${rule}`;
    expect(await at.world.platform.db.many(holding)).toEqual([{ holds: false }]);
  });

  it('resolves the alerts it raised, whatever their key would be by then, and leaves the others', async () => {
    const { device, deviceClass, here } = await aSensor();
    await using _ = here;
    const byRoom = { ...hotAlert, key: '{{ state.room }}' };
    const stays = { ...hotAlert, key: 'log', text: 'Was hot', resolves: false };
    const rule = await aRule({ condition: 'state.temperature > 30', actions: [byRoom, stays] }, deviceClass);
    await here.say('state', { temperature: 31, room: 'hall' });
    await untilRuns(at.world, rule, allDone(1));
    await here.say('state', { temperature: 20, room: 'attic' });
    const [, over] = await untilRuns(at.world, rule, allDone(2));
    expect(over?.summary).toBe('Alert resolved');
    expect(await alertsOf(device.id)).toEqual([
      { state: 'resolved', text: 'It is 31 °C' },
      { state: 'open', text: 'Was hot' },
    ]);
  });

  it.each(['moved to another class', 'suspended'])(
    'that is %s acts no more for its devices, and resolves its alerts',
    async how => {
      const { device, deviceClass, here } = await aSensor();
      await using _ = here;
      const { id: other } = await at.deviceClass();
      const rule = await aRule({ condition: 'state.temperature > 30' }, deviceClass);
      const waits = await aRule({ condition: 'state.temperature > 30', forS: 300 }, deviceClass);
      await here.say('state', { temperature: 31 });
      await untilRuns(at.world, rule, allDone(1));
      await until(async () => (await waitsOf(waits)) || undefined);
      const body = how === 'suspended' ? { suspended: true } : { deviceClasses: [other] };
      for (const moduleId of [rule, waits])
        await at.owner.client.call(editSmartModule, { params: { projectId: at.projectId, moduleId }, body });
      expect(await alertsOf(device.id)).toEqual([{ state: 'resolved', text: 'It is 31 °C' }]);
      expect(await waitsOf(waits)).toBe(false);
    },
  );
});
