import { expect, test } from 'vitest';
import { lengthOf } from './lengthOf.ts';

test('a text that is too long has an error and shows its length', () => {
  const own = { error: undefined, aside: 'optional' };
  expect(lengthOf('ab', 2, own)).toEqual(own);
  expect(lengthOf('abc', undefined, own)).toEqual(own);
  expect(lengthOf('abc', 2, own)).toEqual({ error: 'TOO_LONG', aside: '3 of 2 characters' });
  expect(lengthOf('abc', 2, { error: 'INVALID', aside: undefined }).error).toBe('INVALID');
});
