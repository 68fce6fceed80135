import { expect, it } from 'vitest';
import { niceTop, rangeScale, shortCount } from './scale.ts';

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
])('%i is shown as %s', (value, text) => {
  expect(shortCount(value)).toBe(text);
});

it.each([
  [20.1, 22.4, [23, 22, 21, 20]],
  [0, 1, [1, 0.5, 0]],
  [-5, 5, [5, 0, -5]],
  [21, 21, [21.2, 21, 20.8]],
  [0, 0, [0.5, 0, -0.5]],
  [-61.5, -58, [-58, -60, -62]],
  [1e-7, 3e-7, [3e-7, 2e-7, 1e-7]],
])('a scale of values from %d to %d has round marks', (least, most, marks) => {
  expect(rangeScale(least, most)).toEqual({ bottom: marks.at(-1), top: marks[0], marks });
});
