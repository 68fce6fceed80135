import { expect, it } from 'vitest';
import { aFakeGateway } from '#test/fakeGateway.ts';
import { SimulatedState } from './simulatedState.ts';

const at = aFakeGateway();
let count = 0;

async function aState() {
  count += 1;
  const deviceId = `dev_s${count}`;
  const device = await at.aDevice({ deviceId });
  const state = new SimulatedState(device);
  state.applies.set('self');
  const tell = async (delta: unknown) => {
    at.gateway.tell(`d/${deviceId}/delta`, { version: 1, delta });
    await at.settle();
  };
  return { state, device, tell };
}

const reports = () => at.gateway.published.map(({ json }) => json);

it('dragging a slider reports the first and the last value, not every step in between', async () => {
  const { state } = await aState();
  for (let level = 1; level <= 50; level++) state.change({ level });
  await at.settle(1000);
  expect(reports()).toEqual([{ level: 1 }, { level: 50 }]);
  expect(state.reported.get()).toEqual({ level: 50 });
});

it('a desired value is applied automatically after a moment', async () => {
  const { state, tell } = await aState();
  await tell({ fan: { on: true } });
  expect(reports()).toEqual([]);
  await at.settle(1000);
  expect(reports()).toEqual([{ fan: { on: true } }]);
  expect(state.left.get()).toEqual({});
});

it('a desired value waits for the user if it is to be applied by hand', async () => {
  const { state, tell } = await aState();
  state.applies.set('hand');
  await tell({ fan: { on: true }, lamp: null });
  await at.settle(5000);
  expect(reports()).toEqual([]);
  state.apply('lamp');
  state.apply();
  await at.settle(1000);
  expect(reports()).toEqual([{ lamp: null }, { fan: { on: true } }]);
});

it('changes that do not fit into one report are sent in two', async () => {
  const { state } = await aState();
  state.change({ a: 0 });
  state.change({ fan: null });
  state.change({ fan: { on: true } });
  await at.settle(1000);
  expect(reports()).toEqual([{ a: 0 }, { fan: null }, { fan: { on: true } }]);
});
