import { describe, expect, it } from 'vitest';
import { listAlerts } from '#contract/alert.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { explainModule, readModuleRun } from '#contract/moduleRun.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { runsOf, untilRuns } from '#test/modules.ts';
import type { MqttDevice } from '#test/mqttDevice.ts';
import { until } from '#test/until.ts';
import { aWebServer } from '#test/webServer.ts';
import { unique } from '#test/world.ts';

const at = aGatewayWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });

/** A module subscribed to the desired states of the devices of a class. */
async function aModuleOf(deviceClass: string, moduleType: 'rule' | 'webhook', configData: object) {
  const id = unique(moduleType);
  await at.owner.client.call(createSmartModule, {
    params: { projectId: at.projectId },
    body: {
      id,
      moduleType,
      subscribedEvents: ['_desired_'],
      deviceClasses: [deviceClass],
      configData: configData as never,
    },
  });
  return id;
}

/** Rules in a ring: each waits for the value that the previous rule sets, and the first for that of the last. */
async function aRing(
  length: number,
  pace: { everyS: number; forS?: number },
  beside: Beside = async () => '',
) {
  const { id: deviceClass } = await at.deviceClass();
  const device = await at.device({ deviceClass });
  const other = await beside(deviceClass);
  const rules: string[] = [];
  for (let n = 0; n < length; n += 1) {
    const patch = { [`v${n}`]: null, [`v${(n + 1) % length}`]: '{{ event.id }}' };
    const actions = [{ kind: 'desired', patch }];
    const acts = pace.forS ? 'change' : 'each';
    rules.push(
      await aModuleOf(deviceClass, 'rule', { condition: `has(event.payload.v${n})`, acts, ...pace, actions }),
    );
  }
  const params = { deviceId: device.id };
  await at.owner.client.call(writeDesired, { params, body: { desired: { v0: 'begin' } } });
  return { rules, device, other };
}

type Beside = (deviceClass: string) => Promise<string>;

/** The outcomes, once no run waits. */
const ended = async (rule: string | undefined, count: number) =>
  (
    await untilRuns(
      at.world,
      rule ?? '',
      runs => runs.length >= count && runs.every(({ state }) => state !== 'waiting'),
    )
  ).map(({ state, summary }) => `${state}: ${summary.replace(/\d+/, 'n')}`);

it('two rules that trigger each other are stopped by their minimum interval, and the held run says so', async () => {
  const {
    rules: [one, two],
  } = await aRing(2, { everyS: 3600 });
  expect(await ended(one, 2)).toEqual([
    'done: Desired state n set',
    'held: It acted for this device less than n s earlier',
  ]);
  expect(await ended(two, 1)).toEqual(['done: Desired state n set']);
});

it('a chain of rules ends after four, and the fifth gives the reason in its run and in its explanation', async () => {
  const { rules } = await aRing(5, { everyS: 1 });
  for (const rule of rules.slice(0, 4)) expect(await ended(rule, 1)).toEqual(['done: Desired state n set']);
  const summary = 'Not done: the event was caused by a chain of n modules';
  expect(await ended(rules[4], 1)).toEqual([`dropped: ${summary}`]);
  const [last] = await untilRuns(at.world, rules[4] ?? '', runs => runs.length === 1);
  const explained = await at.owner.client.call(explainModule, {
    params: { projectId: at.projectId, moduleId: rules[4] ?? '' },
    query: { eventId: last?.eventId ?? '' },
  });
  expect(explained.hit).toBe(false);
  expect(explained.steps.filter(({ isOk }) => !isOk)).toEqual([explained.steps.at(-1)]);
  expect(explained.steps.at(-1)?.what).toBe('It was caused by a chain of 4 modules');
});

describe('at the end of a chain', () => {
  it('an alert is still resolved, and "why not?" reports that without the chain', async () => {
    const condition = '!has(event.payload.v4)';
    const actions = [{ kind: 'alert', severity: 'warning', text: 'On its way', key: '', resolves: true }];
    const { rules, device, other } = await aRing(5, { everyS: 1 }, deviceClass =>
      aModuleOf(deviceClass, 'rule', { condition, acts: 'change', everyS: 1, actions }),
    );
    expect((await ended(rules[4], 1))[0]).toMatch(/^dropped/);
    expect((await ended(other, 2)).at(-1)).toBe('done: Alert resolved');
    const query = { deviceId: device.id };
    const { items } = await at.owner.client.call(listAlerts, { params: { projectId: at.projectId }, query });
    expect(items.map(({ state }) => state)).toEqual(['resolved']);
    const eventId = (await runsOf(at.world, other)).at(-1)?.eventId ?? '';
    const params = { projectId: at.projectId, moduleId: other };
    const { hit, steps, run } = await at.owner.client.call(explainModule, { params, query: { eventId } });
    expect({ hit, state: run?.state }).toEqual({ hit: false, state: 'done' });
    expect(steps.slice(-2)).toEqual([
      { isOk: false, what: condition },
      { isOk: true, what: 'It was true before and ended with this event' },
    ]);
    expect(steps.filter(({ what }) => what.includes('chain'))).toEqual([]);
  });

  it('a webhook still receives the last event', async () => {
    await using server = await aWebServer((_, response) => response.end());
    const url = `http://127.0.0.1:${server.port}/hook`;
    const { rules, other } = await aRing(5, { everyS: 1 }, deviceClass =>
      aModuleOf(deviceClass, 'webhook', { url }),
    );
    expect((await ended(rules[4], 1))[0]).toMatch(/^dropped/);
    const runs = await untilRuns(
      at.world,
      other,
      all => all.filter(({ state }) => state === 'done').length === 5,
    );
    expect(server.asked).toHaveLength(5);
    const last = runs.at(-1)?.eventId ?? '';
    const params = { projectId: at.projectId, moduleId: other };
    const { hit } = await at.owner.client.call(explainModule, { params, query: { eventId: last } });
    expect(hit).toBe(true);
  });
});

it('a chain of rules with a waiting time also ends after four', async () => {
  const { rules } = await aRing(2, { everyS: 1, forS: 60 });
  const [one, two] = rules;
  const states = await until(async () => {
    at.world.pass(61_000);
    const all = await Promise.all([one, two].map(rule => runsOf(at.world, rule ?? '')));
    const both = all.map(runs => runs.map(({ state }) => state));
    return both.flat().includes('dropped') ? both : undefined;
  });
  expect(states).toEqual([
    ['done', 'done', 'dropped'],
    ['done', 'done'],
  ]);
});

describe('two rules that trigger each other through what a device reports', () => {
  /** One rule acts if the condition is true, the other if it is false. */
  async function aPair(conditions: readonly string[], actions: readonly object[]) {
    const { id: deviceClass } = await at.deviceClass();
    const device = await at.device({ deviceClass });
    const rules: string[] = [];
    for (const [n, condition] of conditions.entries()) {
      const body = {
        moduleType: 'rule' as const,
        subscribedEvents: ['_state_'],
        deviceClasses: [deviceClass],
      };
      const id = unique('pair');
      await at.owner.client.call(createSmartModule, {
        params: { projectId: at.projectId },
        body: { ...body, id, configData: { condition, actions: [actions[n]] } as never },
      });
      rules.push(id);
    }
    return { device, rules };
  }

  /** A device that follows its desired state, slowly enough for the minimum interval of rules. */
  async function obey(lamp: MqttDevice, before: (told: object) => object | undefined = () => undefined) {
    await lamp.listen('delta');
    lamp.client.on('message', (_, payload) => {
      const { delta } = JSON.parse(payload.toString());
      if (Object.keys(delta).length === 0) return;
      at.world.pass(2000);
      // Ends with the test, possibly while sending.
      for (const said of [before(delta) ?? [], delta].flat()) lamp.say('state', said).catch(() => undefined);
    });
  }

  const untilStates = async (rule: string | undefined, count: number) =>
    (
      await untilRuns(
        at.world,
        rule ?? '',
        runs => runs.length >= count && runs.every(run => run.state !== 'waiting'),
      )
    ).map(({ state }) => state);

  const desired = (patch: object) => ({ kind: 'desired', patch });

  it('are stopped after four runs with a reason, and start again after a manual change', async () => {
    const { device, rules } = await aPair(
      ['state.on', '!state.on'],
      [desired({ on: false }), desired({ on: true })],
    );
    const [one, two] = rules;
    await using lamp = await at.connect(device);
    await obey(lamp);
    await lamp.say('state', { on: true });
    expect(await untilStates(one, 3)).toEqual(['done', 'done', 'dropped']);
    expect(await untilStates(two, 2)).toEqual(['done', 'done']);
    const last = (await untilRuns(at.world, one ?? '', runs => runs.length >= 3)).at(-1);
    expect(last?.summary).toBe('Not done: the event was caused by a chain of 4 modules');
    const ofOne = { projectId: at.projectId, moduleId: one ?? '' };
    const { causedBy } = await at.owner.client.call(readModuleRun, {
      params: { ...ofOne, runId: last?.id ?? '' },
    });
    expect(causedBy.map(({ moduleId }) => moduleId)).toEqual([one, two, one, two]);
    const explained = await at.owner.client.call(explainModule, {
      params: ofOne,
      query: { eventId: last?.eventId ?? '' },
    });
    expect(explained.steps.find(({ isOk }) => !isOk)).toMatchObject({
      what: 'It was caused by a chain of 4 modules',
    });
    await lamp.say('state', { on: false });
    const isStopped = (runs: { state: string }[]) => runs.length > 3 && runs.at(-1)?.state === 'dropped';
    const again = (await untilRuns(at.world, one ?? '', isStopped)).slice(3).map(({ state }) => state);
    // The chain begins with the device, which returns to what is desired, or with the second rule: whichever is first.
    expect([
      ['done', 'done', 'dropped'],
      ['done', 'done', 'done', 'dropped'],
    ]).toContainEqual(again);
  });

  it('are not stopped if another quantity lies between, as with a heater and its temperature', async () => {
    const { device, rules } = await aPair(
      ['state.temperature < 18.0', 'state.temperature > 21.0'],
      [desired({ heating: true }), desired({ heating: false })],
    );
    await using room = await at.connect(device);
    await obey(room, told => ({ temperature: 'heating' in told && told.heating ? 22.5 : 16.5 }));
    await room.say('state', { temperature: 17 });
    for (const rule of rules) expect(new Set(await untilStates(rule, 4))).toEqual(new Set(['done']));
  });
});
