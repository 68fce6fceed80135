import { expect, it } from 'vitest';
import { changesInShort, changesOf } from './logChanges.ts';

it('of a nested field, only what changed is shown', () => {
  const before = { policy: { minLength: 8, maxAge: 90 }, name: 'a' };
  const after = { policy: { minLength: 12, maxAge: 90 }, name: '' };
  expect(changesOf(before, after)).toEqual([
    { name: 'policy.minLength', before: '8', after: '12' },
    { name: 'name', before: 'a', after: '(empty)' },
  ]);
});

it('counters and timestamps of the platform do not count as changes', () => {
  const before = { value: 1, updatedAt: '2026-01-01', revision: 1 };
  const after = { value: 2, updatedAt: '2026-01-02', revision: 2 };
  expect(changesInShort(before, after)).toBe('Value: 1 → 2');
  expect(changesOf(before, after)).toEqual([{ name: 'value', before: '1', after: '2' }]);
});

it('a consequence of a change is not shown as another change', () => {
  const before = { desired: {}, delta: {}, desiredVersion: 0 };
  const after = { desired: { delta: 5 }, delta: { delta: 5 }, desiredVersion: 1 };
  // A property defined by the developer can have such a name.
  expect(changesInShort(before, after)).toBe('Desired › delta: not set → 5');
});

it('an id is shown by the name of what it refers to, if known', () => {
  const [winter, spring] = [
    { bundlePinned: 'bnd_1', bundlePinnedName: 'winter' },
    { bundlePinned: 'bnd_2', bundlePinnedName: 'spring' },
  ];
  expect(changesInShort(winter, spring)).toBe('Pinned to: winter → spring');
  expect(changesInShort({ bundlePinned: null }, { bundlePinned: 'bnd_1' })).toBe(
    'Bundle pinned: not set → bnd_1',
  );
});

it('a value that was not set before, or no longer is, has one side', () => {
  expect(changesOf({ a: null, b: [1, 2] }, { a: { c: false } })).toEqual([
    { name: 'b', before: '[1,2]', after: undefined },
    { name: 'a.c', before: undefined, after: 'false' },
  ]);
});

it.each([
  [undefined, undefined],
  ['text', 5],
  [null, []],
])('%j and %j are not states of an object', (a, b) => {
  expect(changesOf(a, b)).toEqual([]);
});

it('values below the maximum depth are shown as JSON', () => {
  const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
  expect(changesOf(undefined, deep)).toEqual([{ name: 'a.b.c.d.e', before: undefined, after: '{"f":1}' }]);
});

it.each([
  [{ on: false }, { on: true }, 'On: false → true'],
  [{}, { publicAlias: 'pumps' }, 'Public alias: not set → pumps'],
  [{ userSessionsTTL: 1 }, { userSessionsTTL: 2 }, 'Session lifetime: 1 → 2'],
  [{ config: { maxRpm: 1 } }, { config: { maxRpm: 2 } }, 'Config › maxRpm: 1 → 2'],
  [{ body: 'one\ntwo' }, { body: 'x'.repeat(99) }, `Body: one… → ${'x'.repeat(40)}…`],
  [{ a: 1, b: 1, c: 1, d: 1, e: 1 }, { a: 2, b: 2, c: 2, d: 2, e: 2 }, 'A, B, C and 2 more'],
  [{ a: 1 }, { a: 1 }, ''],
  [{ stateSchema: { type: 'object', maxProperties: 2 }, a: 1 }, { a: 2 }, 'State schema removed, A'],
  [{ events: { off: true } }, { events: { off: true, on: { type: 'object' } } }, 'Events › on added'],
  [{}, { policy: { minLength: 8 } }, 'Policy added'],
  [undefined, { a: 1 }, ''],
])('an edit of %j to %j is "%3$s" in short', (before, after, text) => {
  expect(changesInShort(before, after)).toBe(text);
});
