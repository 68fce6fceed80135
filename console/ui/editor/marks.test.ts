import { Text } from '@codemirror/state';
import { expect, it } from 'vitest';
import { rangeOf } from './marks.ts';

const doc = Text.of(['first', '', 'third']);

it.each([
  ['a word', { line: 1, column: 2, length: 3 }, [1, 4]],
  ['over the end of a line', { line: 1, column: 5, length: 3 }, [4, 7]],
  ['nothing, so the character at its place', { line: 3, column: 1, length: 0 }, [7, 8]],
  ['past the end of its line', { line: 1, column: 99, length: 1 }, [5, 6]],
  ['past the end of the text', { line: 99, column: 99, length: 99 }, [11, 12]],
  ['before the beginning', { line: 0, column: 0, length: 1 }, [0, 1]],
])('a mark about %s is inside the text', (_, mark, range) => {
  const { from, to } = rangeOf(doc, { ...mark, message: '' });
  expect([from, to]).toEqual(range);
});

it('a mark in an empty text is empty', () => {
  expect(rangeOf(Text.empty, { line: 1, column: 1, length: 5, message: '' })).toEqual({ from: 0, to: 0 });
});
