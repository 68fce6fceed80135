import { expect, it } from 'vitest';
import { madeOldBy } from './invalidation.ts';

it.each([
  ['/projects/prj_1/members/dvl_2', '/projects/prj_1/members', true],
  ['/projects/prj_1/members/dvl_2', '/projects/prj_1', true],
  ['/projects/prj_1/members/dvl_2', '/devices/dev_1', false],
  ['/devices/dev_1', '/devices', true],
  ['/devices/dev_1', '/devices/dev_1', true],
  ['/devices/dev_1', '/devices/dev_1/state', true],
  ['/devices/dev_1', '/devices/dev_2', false],
  ['/devices/dev_1', '/devices/dev_2/state', false],
  ['/devices/dev_1', '/deviceClasses/thermostat', true],
  ['/devices/dev_1/commands', '/devices/dev_1/commands', true],
  ['/devices/dev_1/commands', '/devices/dev_1', false],
  ['/deviceClasses/thermostat/kv/limit', '/deviceClasses/thermostat/kv', true],
  ['/deviceClasses/thermostat/kv/limit', '/devices/dev_1/config', true],
])('after a change at %s what was read at %s is old: %s', (change, path, isOld) => {
  expect(madeOldBy([change])(path)).toBe(isOld);
});

it('several changes make old what each of them does', () => {
  const isOld = madeOldBy(['/devices/dev_1', '/projects/prj_1/members']);
  expect(['/devices/dev_1', '/projects', '/devices/dev_2', '/other'].map(isOld)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
