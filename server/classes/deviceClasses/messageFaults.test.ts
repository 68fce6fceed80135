import { expect, it } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import { checkMessage, listQuarantine } from '#contract/quarantine.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const celsius = { type: 'number', unit: '°C', title: 'Temperature', maximum: 30 };
const ofCelsius = { type: 'object', required: ['celsius'], properties: { celsius } };

it('a message is checked against the schema of its kind and name, and is not sent anywhere', async () => {
  const { id: classId } = await at.deviceClass({
    stateSchema: ofCelsius,
    eventSchemas: { alarm: ofCelsius },
    commandSchemas: { heat: ofCelsius },
  });
  const input = { params: { classId }, query: { projectId: at.projectId } };
  const check = (body: BodyOf<typeof checkMessage>) =>
    at.owner.client.call(checkMessage, { ...input, body: body as never });
  const tooHot = [{ at: '/celsius', text: 'celsius must be at most 30.' }];
  expect(await check({ kind: 'state', payload: { celsius: 21 } })).toEqual({ hasSchema: true, faults: [] });
  for (const of of [{ kind: 'state' }, { kind: 'event', name: 'alarm' }, { kind: 'command', name: 'heat' }])
    expect(await check({ ...of, payload: { celsius: 31 } } as never)).toEqual({
      hasSchema: true,
      faults: tooHot,
    });
  // A message without a schema can contain anything, even if its name is one that every object inherits.
  for (const name of ['door', 'toString'])
    expect(await check({ kind: 'event', name, payload: 'hot' })).toEqual({ hasSchema: false, faults: [] });
  expect((await at.owner.client.call(listQuarantine, input)).total).toBe(0);
  const stranger = await at.world.aDeveloper();
  await failing(
    stranger.client.call(checkMessage, { ...input, body: { kind: 'state', payload: {} } }),
    'DEVICE_CLASS_NOT_FOUND',
  );
});
