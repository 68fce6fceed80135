import { expect, it } from 'vitest';
import { stateRows, withDesired } from './stateRows.ts';

it('reported and desired values are side by side, and those not yet reported as desired are marked', () => {
  const reported = { target: 21.5, fan: { on: true, speed: 2 }, modes: ['heat', 'cool'] };
  const desired = { target: 22, fan: { on: true }, lock: null };
  const delta = { target: 22, lock: null };
  expect(stateRows({ reported, desired, delta })).toEqual([
    { path: 'fan.on', keys: ['fan', 'on'], reported: 'true', desired: 'true', isDue: false },
    { path: 'fan.speed', keys: ['fan', 'speed'], reported: '2', desired: undefined, isDue: false },
    { path: 'lock', keys: ['lock'], reported: undefined, desired: 'null', isDue: true },
    { path: 'modes', keys: ['modes'], reported: '["heat","cool"]', desired: undefined, isDue: false },
    { path: 'target', keys: ['target'], reported: '21.5', desired: '22', isDue: true },
  ]);
});

it('an object without members is a value', () => {
  expect(stateRows({ reported: { a: {} }, desired: {}, delta: {} })).toEqual([
    { path: 'a', keys: ['a'], reported: '{}', desired: undefined, isDue: false },
  ]);
});

it.each([
  [{ a: 1 }, ['b'], 2, { a: 1, b: 2 }],
  [{ a: 1 }, ['a'], 2, { a: 2 }],
  [{ a: 1, b: 1 }, ['a'], undefined, { b: 1 }],
  [{}, ['fan', 'on'], true, { fan: { on: true } }],
  [{ fan: { on: true, speed: 2 } }, ['fan', 'on'], undefined, { fan: { speed: 2 } }],
  [{ fan: { on: true } }, ['fan', 'on'], undefined, {}],
  [{ fan: 3 }, ['fan', 'on'], true, { fan: { on: true } }],
])('setting %j at %j to %j leaves the other values unchanged', (desired, keys, value, expected) =>
  expect(withDesired(desired, keys, value)).toEqual(expected),
);

it('values are in the order of their names, and the numbers in these count as numbers', () => {
  const reported = { relay10: 1, relay2: 1, Relay1: 1, door: { x: 1 }, 'door 2': 1 };
  const paths = stateRows({ reported, desired: {}, delta: {} }).map(({ path }) => path);
  expect(paths).toEqual(['door 2', 'door.x', 'Relay1', 'relay2', 'relay10']);
});
