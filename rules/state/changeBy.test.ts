import { expect, it } from 'vitest';
import { mergePatch } from '../json/mergePatch.ts';
import { changeBy } from './changeBy.ts';

const before = { on: true, power: { watts: 12, volts: 230 }, tags: ['a', { b: null }], mode: 'heat' };

it.each([
  [{ on: false }, { on: false }, { on: true }],
  [{ power: { watts: 13, volts: 230 } }, { power: { watts: 13 } }, { power: { watts: 12 } }],
  [{ power: { amps: 2 } }, { power: { amps: 2 } }, { power: { amps: null } }],
  [{ power: { watts: null } }, { power: { watts: null } }, { power: { watts: 12 } }],
  [{ power: 3 }, { power: 3 }, { power: before.power }],
  [{ power: null }, { power: null }, { power: before.power }],
  [{ mode: { a: null, b: { c: null } } }, { mode: { b: {} } }, { mode: 'heat' }],
  [{ tags: [] }, { tags: [] }, { tags: before.tags }],
  [{ added: 0, gone: null }, { added: 0 }, { added: null }],
  [
    JSON.parse('{"__proto__":{"x":1}}'),
    JSON.parse('{"__proto__":{"x":1}}'),
    JSON.parse('{"__proto__":null}'),
  ],
])('%j changes %j, and %j leads back', (patch, changed, undo) => {
  const change = changeBy(before, patch);
  expect(change).toEqual({ patch: JSON.stringify(changed), undo: JSON.stringify(undo) });
  const after = mergePatch(before, patch);
  expect(mergePatch(before, JSON.parse(change?.patch ?? ''))).toEqual(after);
  expect(mergePatch(after, JSON.parse(change?.undo ?? ''))).toEqual(before);
});

it.each([
  {},
  { on: true },
  { power: { volts: 230, none: null } },
  { tags: ['a', { b: null }] },
  { none: null },
])('%j changes nothing', patch => {
  expect(changeBy(before, patch)).toBeUndefined();
});
