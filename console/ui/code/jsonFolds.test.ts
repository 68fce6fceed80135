import { expect, it } from 'vitest';
import { isOpenAtFirst, type JsonFold, shownAt, shownLines } from './jsonFolds.ts';

const lines = [
  '{',
  '  "a": {',
  '    "type": "object",',
  '    "properties": {',
  '      "b": true',
  '    }',
  '  },',
  '  "c": {',
  '    "type": "number"',
  '  }',
  '}',
];
const a: JsonFold = { id: '/a', name: 'a', lines: [2, 7] };
const b: JsonFold = { id: '/a/properties', name: 'a.b', lines: [4, 6] };
const c: JsonFold = { id: '/c', name: 'c', lines: [8, 10] };

const shownWith = (...open: JsonFold[]) =>
  shownLines(lines, [a, b, c], fold => open.includes(fold)).map(({ number, text, end, fold }) =>
    [number, text.trim(), ...(end === undefined ? [] : [fold?.members, end])].join(' '),
  );

it('a folded part is one line with its number of members, and lines keep their numbers', () => {
  expect(shownWith()).toEqual(['1 {', '2 "a": { 2 },', '8 "c": { 1 }', '11 }']);
  expect(shownWith(a)).toEqual([
    '1 {',
    '2 "a": {',
    '3 "type": "object",',
    '4 "properties": { 1 }',
    '7 },',
    '8 "c": { 1 }',
    '11 }',
  ]);
});

it('with everything open, the whole text is shown', () => {
  expect(shownWith(a, b, c)).toEqual(lines.map((line, at) => `${at + 1} ${line.trim()}`));
});

it('a line inside a folded part is shown at the first line of that part', () => {
  const shown = shownLines(lines, [a, b, c], fold => fold === a);
  expect([1, 5, 6, 7, 9].map(line => shownAt(shown, line))).toEqual([1, 4, 4, 7, 8]);
});

it('a short text, small parts and the chosen part are initially open', () => {
  expect(isOpenAtFirst(a, lines.length)).toBe(true);
  expect(isOpenAtFirst(a, 100)).toBe(false);
  expect(isOpenAtFirst(a, 100, 5)).toBe(true);
  expect(isOpenAtFirst(a, 100, 8)).toBe(false);
  expect(isOpenAtFirst(b, 100)).toBe(true);
});
