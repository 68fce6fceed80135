import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './urlState.ts';

test('absent and empty values are not in the address', () => {
  expect(stringifySearch({ q: '', page: undefined })).toBe('');
});

test('sort orders and lists stay readable', () => {
  expect(stringifySearch({ sort: 'name:asc', status: 'a,b' })).toBe('?sort=name:asc&status=a,b');
});

test('text that looks like a number or JSON stays text', () => {
  expect(parseSearch('?token=007&q=%7B%7D')).toEqual({ token: '007', q: '{}' });
});

test('every state survives being written to the address and read back', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), state => {
      expect(parseSearch(stringifySearch(state))).toEqual(state);
    }),
  );
});
