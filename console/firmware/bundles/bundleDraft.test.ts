import { expect, it } from 'vitest';
import type { Bundle } from '#contract/bundle.ts';
import type { Component, VersionState } from '#contract/component.ts';
import { choicesOf, draftOf } from './bundleDraft.ts';

const aComponent = (id: string, states: VersionState[], versionCount = states.length) =>
  ({
    id,
    projectId: 'prj',
    name: id,
    description: '',
    signingKeys: [],
    createdAt: '',
    revision: 1,
    versions: states.map((state, at) => ({ id: `${id}${at}`, name: `${at}.0`, state })),
    versionCount,
  }) satisfies Component;

const aBundle = (...contained: [componentId: string, versionId: string][]) =>
  ({
    id: 'bdl',
    projectId: 'prj',
    name: 'Winter',
    description: 'Warmer',
    deviceClass: 'thermostat',
    channelCount: 0,
    deviceCount: 0,
    pinnedCount: 0,
    createdAt: '',
    revision: 1,
    components: contained.map(([componentId, versionId]) => ({
      componentId,
      componentName: componentId,
      versionId,
      versionName: '1.0',
      sizeBytes: 1,
    })),
  }) satisfies Bundle;

it('only versions with a verified file can be chosen, and only components that have one', () => {
  const choices = choicesOf([
    aComponent('os', ['uploading', 'ready', 'failed', 'ready']),
    aComponent('boot', ['empty', 'verifying']),
  ]);
  expect(choices.map(({ component, versions }) => [component.id, versions.map(({ id }) => id)])).toEqual([
    ['os', ['os1', 'os3']],
  ]);
});

it('a copy says so in its name and description, and has the contents of the original', () => {
  const from = aBundle(['os', 'os0']);
  const choices = choicesOf([aComponent('os', ['ready'])], from);
  expect(draftOf(choices, from)).toEqual({
    name: 'Winter (copy)',
    description: 'Warmer (copy)',
    deviceClass: 'thermostat',
    chosen: { os: 'os0' },
    missing: [],
  });
});

it('a copy names the components that it could not take over: the version is deleted or not ready', () => {
  const from = aBundle(['os', 'os0'], ['boot', 'boot0'], ['radio', 'radio9']);
  const components = [
    aComponent('os', ['ready']),
    aComponent('boot', ['failed']),
    aComponent('radio', ['ready']),
  ];
  expect(draftOf(choicesOf(components, from), from)).toMatchObject({
    chosen: { os: 'os0' },
    missing: ['boot 1.0', 'radio 1.0'],
  });
});

it('an old version that is not among those listed with its component is taken over', () => {
  const from = aBundle(['os', 'os9']);
  const choices = choicesOf([aComponent('os', ['ready'], 200)], from);
  expect(draftOf(choices, from).missing).toEqual([]);
});
