import { expect, it } from 'vitest';
import { listText } from './listText.ts';

it.each([
  [[], ''],
  [['A'], 'A'],
  [['A', 'B'], 'A or B'],
  [['A', 'B', 'C'], 'A, B or C'],
])('the list %j is written as "%s"', (parts, text) => {
  expect(listText(parts, 'or')).toBe(text);
});
