import { expect, test } from 'vitest';
import { lengthOf, lengthText, shortLength } from './sessionLength.ts';

test.each([
  [2_592_000, '30 days', '30 d'],
  [86_400, '1 day', '1 d'],
  [129_600, '36 hours', '36 h'],
  [3600, '1 hour', '1 h'],
  [5000, '5,000 seconds', '5,000 s'],
])('%i seconds are shown as %s', (seconds, text, short) => {
  expect(lengthText(seconds)).toBe(text);
  expect(shortLength(seconds)).toBe(short);
});

test.each([
  ['45', 'days', 3_888_000],
  ['36', 'hours', 129_600],
  ['400', 'days', 34_560_000],
  ['401', 'days', undefined],
  ['3599', 'seconds', undefined],
  ['1.5', 'days', undefined],
  ['', 'days', undefined],
  ['1e3', 'hours', undefined],
] as const)('%s %s is %s seconds', (count, unit, seconds) => {
  expect(lengthOf(count, unit)).toBe(seconds);
});
