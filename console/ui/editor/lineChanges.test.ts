import { expect, it } from 'vitest';
import { lineChanges } from './lineChanges.ts';

const textOf = (properties: object) => JSON.stringify({ type: 'object', properties }, null, 2);
const [low, high] = [
  { type: 'number', minimum: 0 },
  { type: 'number', minimum: 9 },
];

const said = (before: string, after: string) =>
  lineChanges(before, after).map(({ kind, number, text }) => `${kind} ${number} ${text.trim()}`);

it('a changed value is one removed and one added line', () => {
  expect(said(textOf({ a: low, b: low }), textOf({ a: low, b: high }))).toEqual([
    'removed 10 "minimum": 0',
    'added 10 "minimum": 9',
  ]);
});

it('a removed block is exactly its lines, however similar its neighbours are', () => {
  expect(said(textOf({ a: low, b: low, c: low }), textOf({ a: low, c: low }))).toEqual([
    'removed 8 "b": {',
    'removed 9 "type": "number",',
    'removed 10 "minimum": 0',
    'removed 11 },',
  ]);
});

it('a block added at the end is exactly its lines', () => {
  expect(said(textOf({ a: low }), textOf({ a: low, b: low }))).toEqual([
    'added 7 },',
    'added 8 "b": {',
    'added 9 "type": "number",',
    'added 10 "minimum": 0',
  ]);
});

it('starting from an empty text, every line is added', () => {
  expect(said('', 'a\nb')).toEqual(['added 1 a', 'added 2 b']);
  expect(said('a\nb', '')).toEqual(['removed 1 a', 'removed 2 b']);
  expect(said('a', 'a')).toEqual([]);
});
