import { expect, it } from 'vitest';
import { stateRows } from './stateRows.ts';

it('what is reported and desired stands side by side, and what is still to be done is marked', () => {
  const reported = { target: 21.5, fan: { on: true, speed: 2 }, modes: ['heat', 'cool'] };
  const desired = { target: 22, fan: { on: true }, lock: null };
  const delta = { target: 22, lock: null };
  expect(stateRows({ reported, desired, delta })).toEqual([
    { path: 'fan.on', reported: 'true', desired: 'true', isDue: false },
    { path: 'fan.speed', reported: '2', desired: undefined, isDue: false },
    { path: 'lock', reported: undefined, desired: 'null', isDue: true },
    { path: 'modes', reported: '["heat","cool"]', desired: undefined, isDue: false },
    { path: 'target', reported: '21.5', desired: '22', isDue: true },
  ]);
});

it('an object without members is a value', () => {
  expect(stateRows({ reported: { a: {} }, desired: {}, delta: {} })).toEqual([
    { path: 'a', reported: '{}', desired: undefined, isDue: false },
  ]);
});
