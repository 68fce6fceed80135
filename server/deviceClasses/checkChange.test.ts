import { expect, it } from 'vitest';
import { mergePatch } from '#rules/mergePatch.ts';
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
