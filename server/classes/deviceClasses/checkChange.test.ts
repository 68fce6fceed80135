import { expect, it } from 'vitest';
import { mergePatch } from '#rules/json/mergePatch.ts';
import { checkChange } from './checkChange.ts';
import { faultsMax } from './schemas.ts';

const schema = {
  properties: {
    celsius: { maximum: 30 },
    fan: { properties: { speed: { maximum: 3 }, level: { maximum: 9 } }, required: ['on'] },
    days: { items: { maximum: 7 } },
  },
  dependentSchemas: { eco: { properties: { celsius: { maximum: 20 } } } },
};
const before = { celsius: 35, fan: { speed: 5 }, days: [9, 1] };

it.each([
  [{ mode: 'heat' }, []],
  [{ celsius: 36 }, ['/celsius']],
  [{ fan: { level: 1 } }, []],
  [{ fan: { level: 10 } }, ['/fan/level']],
  [{ fan: { speed: 5 } }, ['/fan/speed']],
  [{ fan: { speed: 2, on: true } }, []],
  [{ days: [1, 9] }, ['/days/1']],
  [{ days: [9, 1] }, ['/days/0']],
])('%j is checked only for the violations it introduces', (patch, places) => {
  const faults = checkChange(schema, { before, patch, after: mergePatch(before, patch) });
  expect(faults.map(({ at }) => at)).toEqual(places);
});

it('a change that makes an untouched value violate the schema introduces that violation', () => {
  const warm = { celsius: 25 };
  const patch = { eco: true };
  const faults = checkChange(schema, { before: warm, patch, after: mergePatch(warm, patch) });
  expect(faults).toContainEqual({ at: '/celsius', text: 'celsius must be at most 20.' });
});

it('a new violation is found among any number of old ones', () => {
  const strict = { additionalProperties: { type: 'number' } };
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`n${i}`, 'x']));
  const patch = { z: 'x' };
  const faults = checkChange(strict, { before: many, patch, after: mergePatch(many, patch) });
  expect(faults.map(({ at }) => at)).toEqual(['/z']);
  expect(checkChange(strict, { before: {}, patch: many, after: many })).toHaveLength(faultsMax);
});

const faultsOf = (schema: object, before: Record<string, unknown>, patch: object) =>
  checkChange(schema, { before, patch, after: mergePatch(before, patch) }).map(({ text }) => text);

it('an old violation of one part of a schema does not excuse a new one of another', () => {
  const schema = { allOf: [{ not: { required: ['a'] } }, { not: { required: ['b'] } }] };
  const excluded = 'The message must not match what its schema excludes.';
  expect(faultsOf(schema, { a: 1 }, { b: 1 })).toEqual([excluded]);
  expect(faultsOf(schema, { a: 1 }, { c: 1 })).toEqual([]);
  expect(faultsOf(schema, { a: 1 }, { a: 2 })).toEqual([excluded]);
  expect(faultsOf(schema, { a: 1, b: 1 }, { a: null })).toEqual([]);
});

it('a state with too many members may change one or drop one, but not add one', () => {
  const schema = { maxProperties: 2, minProperties: 2 };
  const three = { a: 1, b: 1, c: 1 };
  expect(faultsOf(schema, three, { a: 2 })).toEqual([]);
  expect(faultsOf(schema, { ...three, d: 1 }, { d: null })).toEqual([]);
  expect(faultsOf(schema, three, { d: null, e: 1 })).toEqual(['The message must have at most 2 members.']);
  expect(faultsOf(schema, { a: 1 }, { a: 2 })).toEqual([]);
  expect(faultsOf({ properties: { fan: schema } }, { fan: three }, { fan: { d: 1 } })).toEqual([
    'fan must have at most 2 members.',
  ]);
});

it('a combination that a change sets again is refused, and one that it leaves alone is not', () => {
  const schema = { not: { required: ['mode', 'eco'] } };
  const both = { mode: 'heat', eco: true };
  expect(faultsOf(schema, both, { celsius: 20 })).toEqual([]);
  expect(faultsOf(schema, both, { mode: 'heat' })).toHaveLength(1);
});

it('a new violation in a state that is costly to check is found beside an old one', () => {
  const words = { type: 'array', items: { allOf: Array.from({ length: 60 }, () => ({ maxLength: 1e6 })) } };
  const schema = { properties: { words, a: { maximum: 1 }, b: { maximum: 1 } } };
  const before = { words: Array.from({ length: 1_500 }, () => 'word'), a: 2 };
  expect(faultsOf(schema, before, { b: 2 })).toEqual(['b must be at most 1.']);
  expect(faultsOf(schema, before, { c: 2 })).toEqual([]);
});

it('a state that is too large to be checked is not excused because it was too large before', () => {
  const words = { items: { allOf: Array.from({ length: 300 }, () => ({ maxLength: 1e6 })) } };
  const before = { words: Array.from({ length: 3_000 }, () => 'word') };
  expect(faultsOf({ properties: { words } }, before, { b: 2 })).toEqual([
    'The message is too large to be checked against its schema.',
  ]);
});
