import { expect, it } from 'vitest';
import { createSmartModule } from '#contract/smartModule.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { untilRuns } from '#test/modules.ts';
import { unique } from '#test/world.ts';

const at = aGatewayWorld();

async function aRule(condition: string, deviceClass: string): Promise<string> {
  const id = unique('rule');
  await at.owner.client.call(createSmartModule, {
    params: { projectId: at.projectId },
    body: {
      id,
      moduleType: 'rule',
      subscribedEvents: ['_state_'],
      deviceClasses: [deviceClass],
      configData: {
        condition,
        acts: 'each',
        actions: [{ kind: 'alert', text: 'It is {{ state.n }}' }],
      } as never,
    },
  });
  return id;
}

it.each([
  ['a text joined with what was split of it', 'state.s.split("").join(state.s).size() > 1'],
  ['a text joined with what a loop made of it', 'state.l.map(x, state.s).join(state.s).size() > 1'],
])('a condition that makes %s fails in words, and the rule beside it acts', async (_, condition) => {
  const { id: deviceClass } = await at.deviceClass();
  const device = await at.device({ deviceClass });
  await using here = await at.connect(device);
  const [hostile, other] = [await aRule(condition, deviceClass), await aRule('state.n > 1', deviceClass)];
  await here.say('state', { n: 2, s: 'a'.repeat(9_000), l: Array.from({ length: 9_000 }, (_, n) => n) });
  const ended = (runs: { state: string }[]) => runs.some(({ state }) => state !== 'waiting');
  expect(await untilRuns(at.world, hostile, ended)).toMatchObject([
    {
      state: 'failed',
      summary: expect.stringMatching(/^It was stopped: its texts and lists become too large .* In `/),
    },
  ]);
  expect(await untilRuns(at.world, other, ended)).toMatchObject([
    { state: 'done', summary: 'Raised “It is 2”' },
  ]);
});
