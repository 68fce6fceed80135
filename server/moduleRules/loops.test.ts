import { expect, it } from 'vitest';
import { writeDesired } from '#contract/deviceState.ts';
import { explainModule } from '#contract/moduleRun.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { untilRuns } from '#test/modules.ts';
import { unique } from '#test/world.ts';

const at = aGatewayWorld();

/** Rules in a ring: each waits for the value that the one before sets, and the first for that of the last. */
async function aRing(length: number, everyS: number) {
  const { id: deviceClass } = await at.deviceClass();
  const device = await at.device({ deviceClass });
  const rules: string[] = [];
  for (let n = 0; n < length; n += 1) {
    const patch = { [`v${n}`]: null, [`v${(n + 1) % length}`]: '{{ event.id }}' };
    const configData = {
      ...{ condition: `has(event.payload.v${n})`, acts: 'each', everyS },
      actions: [{ kind: 'desired', patch }],
    } as never;
    const body = {
      moduleType: 'rule' as const,
      subscribedEvents: ['_desired_'],
      deviceClasses: [deviceClass],
    };
    const id = unique('ring');
    await at.owner.client.call(createSmartModule, {
      params: { projectId: at.projectId },
      body: { ...body, id, configData },
    });
    rules.push(id);
  }
  const params = { deviceId: device.id };
  await at.owner.client.call(writeDesired, { params, body: { desired: { v0: 'begin' } } });
  return rules;
}

/** Once nothing of it waits. */
const ended = async (rule: string | undefined, count: number) =>
  (
    await untilRuns(
      at.world,
      rule ?? '',
      runs => runs.length >= count && runs.every(({ state }) => state !== 'waiting'),
    )
  ).map(({ state, summary }) => `${state}: ${summary.replace(/\d+/, 'n')}`);

it('two rules that feed each other are stopped by their pace, and the run that was held says so', async () => {
  const [one, two] = await aRing(2, 3600);
  expect(await ended(one, 2)).toEqual([
    'done: Desired state n set',
    'held: It acted for this device less than n s earlier',
  ]);
  expect(await ended(two, 1)).toEqual(['done: Desired state n set']);
});

it('a chain of rules ends after four, and the fifth says why, also to who asks "why not?"', async () => {
  const rules = await aRing(5, 1);
  for (const rule of rules.slice(0, 4)) expect(await ended(rule, 1)).toEqual(['done: Desired state n set']);
  const summary = 'Not done: the event was caused by a chain of n modules';
  expect(await ended(rules[4], 1)).toEqual([`dropped: ${summary}`]);
  const [last] = await untilRuns(at.world, rules[4] ?? '', runs => runs.length === 1);
  const explained = await at.owner.client.call(explainModule, {
    params: { projectId: at.projectId, moduleId: rules[4] ?? '' },
    query: { eventId: last?.eventId ?? '' },
  });
  expect(explained.hit).toBe(false);
  expect(explained.steps.find(({ isOk }) => !isOk)).toMatchObject({
    what: 'It was caused by a chain of 4 modules',
  });
});
