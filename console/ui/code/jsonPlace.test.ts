import { expect, it } from 'vitest';
import { jsonPlace } from './jsonPlace.ts';

const text = `{
  "a": { "b": [10, {"c/d": "x\\"y"}], "~": null },
  "e": true
}`;

it.each([
  ['', text],
  ['/a/b', '[10, {"c/d": "x\\"y"}]'],
  ['/a/b/0', '10'],
  ['/a/b/1/c~1d', '"x\\"y"'],
  ['/a/~0', 'null'],
  ['/e', 'true'],
])('the pointer %j leads to its value', (pointer, value) => {
  const { from, to } = jsonPlace(text, pointer);
  expect(text.slice(from, to)).toBe(value);
});

it('a missing value is marked at the brace of the object that should contain it', () => {
  const { from, to } = jsonPlace(text, '/a/b/1/missing/deeper');
  expect(text.slice(from, to + 6)).toBe('{"c/d":');
});
