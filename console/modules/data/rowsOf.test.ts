import { expect, it } from 'vitest';
import { csvOf, rowsOf } from './rowsOf.ts';

it('lists of objects and tables with a key are rows; anything else is JSON', () => {
  expect(rowsOf({ data: [{ a: 1 }, { b: 2 }] })?.columns).toEqual(['a', 'b']);
  const columns = [{ name: 'tag', type: 'text' as const }];
  const table = { version: 1, columns, key: 'tag', rows: 1 };
  expect(rowsOf({ data: { x: { tag: 'x' } }, table })).toEqual({ columns: ['tag'], rows: [{ tag: 'x' }] });
  expect(rowsOf({ data: { x: { tag: 'x' } } })).toBeUndefined();
  expect(rowsOf({ data: [1, 2] })).toBeUndefined();
  expect(rowsOf({})).toBeUndefined();
});

it('cells that CSV would misread are quoted', () => {
  const rows = [
    { a: 'x,y', b: 'say "no"' },
    { a: null, b: ' padded' },
  ];
  expect(csvOf({ columns: ['a', 'b'], rows })).toBe('a,b\n"x,y","say ""no"""\n," padded"');
});
