import { expect, it } from 'vitest';
import type { Bundle } from '#contract/bundle.ts';
import { firstUpdate } from './firstUpdateSteps.ts';
import { whatRuns } from './whatRuns.ts';

const aClass = (deviceClass: string, claimed: number) => ({
  deviceClass,
  claimed,
  unclaimed: 0,
  connected: 0,
  disconnected: 0,
  never: 0,
  suspended: 0,
});

const aBundle = (name: string, deviceClass: string, deviceCount: number): Bundle => ({
  id: name,
  name,
  deviceClass,
  deviceCount,
  projectId: 'prj',
  description: '',
  components: [],
  channelCount: 0,
  pinnedCount: 0,
  createdAt: '',
  revision: 1,
});

it('bundles, other bundles and devices that report none add up to the class, with the largest class first', () => {
  const bundles = [1, 2, 3, 4, 5, 6].map(count => aBundle(`b${count}`, 'thermostat', count));
  const [first, second] = whatRuns([aClass('sensor', 2), aClass('thermostat', 30)], bundles, []);
  expect(first).toMatchObject({ deviceClass: 'thermostat', devices: 30, unknown: 9 });
  expect(first?.runs.map(({ name, count }) => [name, count])).toEqual([
    ['b6', 6],
    ['b5', 5],
    ['b4', 4],
    ['b3', 3],
    ['Other bundles', 3],
  ]);
  expect(second).toMatchObject({ runs: [], unknown: 2 });
});

it('the first update begins with a device, continues from a version to its upload, and ends on a device', () => {
  const component = {
    id: 'os',
    projectId: 'prj',
    name: 'os',
    description: '',
    signingKeys: [],
    createdAt: '',
    revision: 1,
    versions: [{ id: 'v', name: '1.0', state: 'empty' as const }],
    versionCount: 1,
  };
  const nothing = { classes: [aClass('c', 1)], components: [], bundles: [], channels: [] };
  const next = (known: Parameters<typeof firstUpdate>[0]) => firstUpdate(known).find(({ isDone }) => !isDone);
  expect(next({ ...nothing, classes: [] })?.verb).toBe('Create device class');
  expect(next({ ...nothing, classes: [aClass('c', 0)] })).toMatchObject({
    verb: 'Add device',
    link: { classId: 'c' },
  });
  expect(next(nothing)?.verb).toBe('Create component');
  expect(next({ ...nothing, components: [{ ...component, versions: [] }] })?.verb).toBe('Create version');
  expect(next({ ...nothing, components: [component] })).toMatchObject({ link: { versionId: 'v' } });
  const ready = { ...component, versions: [{ id: 'v', name: '1.0', state: 'ready' as const }] };
  expect(next({ ...nothing, components: [ready] })?.verb).toBe('Create bundle');
  const bundles = [aBundle('b', 'c', 0)];
  expect(next({ ...nothing, components: [ready], bundles })?.verb).toBe('Create channel');
  const channel = {
    id: 'ch',
    projectId: 'prj',
    name: 'stable',
    description: '',
    deviceClass: 'c',
    bundleId: 'b',
  };
  const channels = [{ ...channel, deviceCount: 1, failedCount: 0, createdAt: '', revision: 1 }];
  expect(next({ ...nothing, components: [ready], bundles, channels })?.title).toBe('See it arrive');
  expect(
    next({ ...nothing, components: [ready], bundles: [aBundle('b', 'c', 1)], channels }),
  ).toBeUndefined();
});
