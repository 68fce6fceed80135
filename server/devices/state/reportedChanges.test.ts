import { expect, it } from 'vitest';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();

it('each property of a reported state has the time of its last change', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  await here.say('state', { target: 21, mode: 'heat', fan: { on: true } });
  const first = await at.stateOf(device);
  const { reportedAt = '' } = first;
  expect(first.reportedChanges).toEqual({ target: reportedAt, mode: reportedAt, fan: reportedAt });
  // The same value again is not a change, whatever else the report contains.
  await here.say('state', { target: 21, fan: { on: false }, mode: null, lock: 1 });
  const second = await at.stateOf(device);
  const changed = second.reportedAt ?? '';
  expect(second.reportedChanges).toEqual({ target: reportedAt, fan: changed, lock: changed });
  expect(changed > reportedAt).toBe(true);
});

it('a state with hundreds of properties has no times', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  await here.say('state', Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`n${n}`, n])));
  const state = await at.stateOf(device);
  expect([Object.keys(state.reported).length, state.reportedChanges]).toEqual([300, undefined]);
});

it('times from before a state had hundreds of properties do not come back', async () => {
  const device = await at.device();
  await using here = await at.connect(device);
  const many = Object.keys(Array.from({ length: 250 }, String)).map(n => `n${n}`);
  await here.say('state', { early: 1, gone: 1 });
  await here.say('state', Object.fromEntries(many.map(name => [name, 1])));
  await here.say('state', { gone: null });
  await here.say('state', Object.fromEntries(many.map(name => [name, null])));
  await here.say('state', { late: 1 });
  const { reported, reportedAt, reportedChanges } = await at.stateOf(device);
  expect(reported).toEqual({ early: 1, late: 1 });
  expect(reportedChanges).toEqual({ late: reportedAt });
});
