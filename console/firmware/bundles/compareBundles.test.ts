import { expect, it } from 'vitest';
import type { Bundle } from '#contract/bundle.ts';
import { compareBundles } from './compareBundles.ts';

const aBundle = (versions: Record<string, string>): Bundle => ({
  id: 'bdl',
  projectId: 'prj',
  name: 'Winter',
  description: '',
  deviceClass: 'thermostat',
  channelCount: 0,
  deviceCount: 0,
  pinnedCount: 0,
  createdAt: '',
  revision: 1,
  components: Object.entries(versions).map(([name, version]) => ({
    componentId: name,
    componentName: name,
    versionId: name + version,
    versionName: version,
    sizeBytes: 1,
  })),
});

it('two bundles are side by side, including components that only one of them has', () => {
  const rows = compareBundles(aBundle({ os: '2', boot: '1' }), aBundle({ boot: '1', os: '1', radio: '7' }));
  expect(
    rows.map(({ componentName, mine, theirs, isSame }) => [
      componentName,
      mine?.versionName,
      theirs?.versionName,
      isSame,
    ]),
  ).toEqual([
    ['boot', '1', '1', true],
    ['os', '2', '1', false],
    ['radio', undefined, '7', false],
  ]);
});
