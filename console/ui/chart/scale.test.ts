import { expect, it } from 'vitest';
import { niceTop, shortCount } from './scale.ts';

it.each([
  [0, 2],
  [2, 2],
  [3, 3],
  [7, 8],
  [41, 50],
  [64, 80],
  [7_600, 8_000],
  [9_999, 10_000],
])('the scale of values up to %i ends at %i', (value, top) => {
  expect(niceTop(value)).toBe(top);
});

it.each([
  [999, '999'],
  [8_000, '8,000'],
  [12_500, '12.5 k'],
  [2_000_000, '2 M'],
])('%i is written %s', (value, text) => {
  expect(shortCount(value)).toBe(text);
});
