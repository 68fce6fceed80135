import { expect, it } from 'vitest';
import { lineChanges } from './lineChanges.ts';

const textOf = (properties: object) => JSON.stringify({ type: 'object', properties }, null, 2);
const [low, high] = [
  { type: 'number', minimum: 0 },
  { type: 'number', minimum: 9 },
];

const said = (before: string, after: string) =>
  lineChanges(before, after).map(({ kind, number, text }) => `${kind} ${number} ${text.trim()}`);

it('a value that changed is one line that went and one that came', () => {
  expect(said(textOf({ a: low, b: low }), textOf({ a: low, b: high }))).toEqual([
    'removed 10 "minimum": 0',
    'added 10 "minimum": 9',
  ]);
});

it('a block that went is just its lines, however like its neighbours it is', () => {
  expect(said(textOf({ a: low, b: low, c: low }), textOf({ a: low, c: low }))).toEqual([
    'removed 8 "b": {',
    'removed 9 "type": "number",',
    'removed 10 "minimum": 0',
    'removed 11 },',
  ]);
});

it('a block that came last is just its lines', () => {
  expect(said(textOf({ a: low }), textOf({ a: low, b: low }))).toEqual([
    ...['added 7 },', 'added 8 "b": {', 'added 9 "type": "number",', 'added 10 "minimum": 0'],
  ]);
});

it('from nothing, every line came', () => {
  expect(said('', 'a\nb')).toEqual(['added 1 a', 'added 2 b']);
  expect(said('a\nb', '')).toEqual(['removed 1 a', 'removed 2 b']);
  expect(said('a', 'a')).toEqual([]);
});
