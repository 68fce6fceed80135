import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './urlState.ts';

test('what is absent or empty is not in the address', () => {
  expect(stringifySearch({ q: '', page: undefined })).toBe('');
});

test('orders and lists read as they are', () => {
  expect(stringifySearch({ sort: 'name:asc', status: 'a,b' })).toBe('?sort=name:asc&status=a,b');
});

test('text that looks like a number or JSON stays text', () => {
  expect(parseSearch('?token=007&q=%7B%7D')).toEqual({ token: '007', q: '{}' });
});

test('every state survives the address', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), state => {
      expect(parseSearch(stringifySearch(state))).toEqual(state);
    }),
  );
});
