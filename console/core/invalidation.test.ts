import { describe, expect, it } from 'vitest';
import { pathOf } from '#contract/client.ts';
import { createDevice, editDevice, rotateDeviceKey } from '#contract/device.ts';
import { actOnDevices } from '#contract/deviceBulk.ts';
import { writeKvPair } from '#contract/deviceClass.ts';
import { writeDesired } from '#contract/deviceState.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { actOnRollout } from '#contract/rollout.ts';
import { editMember } from '#contract/team.ts';
import { madeOldBy } from './invalidation.ts';

const ids = {
  projectId: 'prj_1',
  developerId: 'dvl_2',
  deviceId: 'dev_1',
  classId: 'thermostat',
  pairKey: 'limit',
  rolloutId: 'rol_1',
};
const changeBy = (endpoint: Endpoint) => ({ path: pathOf(endpoint, ids), makesOld: endpoint.makesOld });

describe.each([
  [editMember, { '/projects/prj_1/members': true, '/projects/prj_1': true, '/devices/dev_1': false }],
  [
    editDevice,
    {
      '/devices': true,
      '/devices/dev_1': true,
      '/devices/dev_1/state': true,
      '/devices/dev_2': false,
      '/devices/dev_2/state': false,
      '/deviceClasses/thermostat': true,
      '/projects/prj_1/stats': true,
    },
  ],
  [createDevice, { '/devices': true, '/devices/dev_2': false }],
  [actOnDevices, { '/devices': true, '/devices/dev_2': true }],
  [rotateDeviceKey, { '/devices/dev_1': true, '/devices/dev_2': false }],
  [writeDesired, { '/devices/dev_1/state': true, '/devices/dev_1': false }],
  [
    actOnRollout,
    {
      '/rollouts/rol_1': true,
      '/rollouts/rol_1/report': true,
      '/rollouts': true,
      '/projects/prj_1/findings': true,
    },
  ],
  [writeKvPair, { '/deviceClasses/thermostat/kv': true, '/devices/dev_1/config': true }],
] as [Endpoint, Record<string, boolean>][])('after a change', (endpoint, reads) => {
  it.each(Object.entries(reads))(`${endpoint.name} makes the read at %s old: %s`, (path, isOld) => {
    expect(madeOldBy([changeBy(endpoint)])(path)).toBe(isOld);
  });
});

it('a change without further information affects the reads that its own path is about', () => {
  const isOld = madeOldBy([{ path: '/devices/dev_1/commands' }]);
  expect(['/devices/dev_1/commands', '/devices/dev_1'].map(isOld)).toEqual([true, false]);
});

it('several changes affect the reads that each of them affects', () => {
  const isOld = madeOldBy([changeBy(editDevice), changeBy(editMember)]);
  expect(['/devices/dev_1', '/projects', '/devices/dev_2', '/other'].map(isOld)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
