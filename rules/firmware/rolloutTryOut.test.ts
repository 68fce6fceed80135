import { expect, it } from 'vitest';
import { isOnlineDaily, type Trial, type TriedDevice, tryOut } from './rolloutTryOut.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const trial: Trial = {
  steps: [{ percent: 10 }, { percent: 100 }],
  rate: null,
  soakMs: 10 * minute,
  beginMs: 0,
  endMs: 7 * day,
  each: 1,
};
const on = (place: number): TriedDevice => ({ place, wasConnected: true, changes: [] });
const from = (place: number, at: number): TriedDevice => ({ place, wasConnected: false, changes: [at] });
const never = (place: number): TriedDevice => ({ place, wasConnected: false, changes: [] });

it('a step is settled once its devices have been connected, and the next begins after the soak time', () => {
  expect(tryOut([on(1), on(5_000)], trial)).toEqual([0, 10 * minute]);
  expect(tryOut([from(1, 3 * minute), on(5_000)], trial)).toEqual([3 * minute, 13 * minute]);
});

it('a device that was connected only before its turn does not settle', () => {
  const gone: TriedDevice = { place: 5_000, wasConnected: true, changes: [-5 * minute, 2 * day] };
  expect(tryOut([on(1), gone], trial)).toEqual([0, 2 * day]);
  const goneForGood = { ...gone, changes: [-5 * minute] };
  expect(tryOut([on(1), goneForGood], trial)).toEqual([0, undefined]);
});

it('devices that were never connected are ignored, and a step with only such devices never settles', () => {
  expect(tryOut([on(1), never(2), on(5_000)], trial)).toEqual([0, 10 * minute]);
  expect(tryOut([never(1), on(5_000)], trial)).toEqual([undefined, undefined]);
});

it('a step without devices ends at once', () => {
  expect(tryOut([on(5_000)], trial)).toEqual([0, 0]);
});

it('the rate limits admission, including devices represented by a sample', () => {
  const devices = Array.from({ length: 10 }, (_, at) => on(at * 1_000));
  const all = { ...trial, steps: [{ percent: 100 }] };
  expect(tryOut(devices, { ...all, rate: 5 })).toEqual([minute]);
  expect(tryOut(devices, { ...all, rate: 5, each: 10 })).toEqual([18 * minute]);
});

it('a device is online daily if it was connected on every day', () => {
  expect(isOnlineDaily(on(1), trial)).toBe(true);
  expect(isOnlineDaily(from(1, 1.5 * day), trial)).toBe(false);
  const everyDay = Array.from({ length: 7 }, (_, at) => [at * day + minute, -(at * day + 2 * minute)]).flat();
  expect(isOnlineDaily({ place: 1, wasConnected: false, changes: everyDay }, trial)).toBe(true);
});
