import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isMultipleOf, nearestMultiple } from './multipleOf.ts';

it('every value that a device writes with the decimal places of a step is a multiple of it', () => {
  const step = fc.constantFrom(0.1, 0.01, 0.001, 0.5, 0.25, 0.05, 1, 2, 5, 1e-7, 1e-9);
  fc.assert(
    fc.property(step, fc.integer({ min: -1_000_000, max: 1_000_000 }), (by, times) => {
      expect(isMultipleOf(nearestMultiple(times * by, by), by)).toBe(true);
    }),
  );
  const tenths = Array.from({ length: 500 }, (_, i) => Number(((i + 1) / 10).toFixed(1)));
  expect(tenths.filter(value => !isMultipleOf(value, 0.1))).toEqual([]);
});

it.each([
  [21.7, 0.1, true],
  [19.99, 0.01, true],
  [-0.3, 0.1, true],
  [0, 0.1, true],
  [0.35, 0.1, false],
  [0.30000000000000004, 0.1, false],
  [4.5, 1.5, true],
  [4.6, 1.5, false],
  [1e22, 0.1, true],
  [1e308, 0.123456789, false],
  [1e308, 5e-324, true],
  [0.0075, 0.0001, true],
  [0.00751, 0.0001, false],
  [12_391_239_123, 1e-8, true],
  [9_007_199_254_740_991, 3, false],
  [2 ** 60, 3, false],
  [3e20, 3, true],
  [0.12345678901234569, 0.00000000000000001, true],
  [0.12345678901234569, 0.00000000000000002, false],
])('whether %d is a multiple of %d is %s', (value, step, is) => {
  expect(isMultipleOf(value, step)).toBe(is);
});

it.each([
  [21.74, 0.1, 21.7],
  [0.1 + 0.2, 0.1, 0.3],
  [0.000_000_34, 1e-7, 3e-7],
  [7.3, 2.5, 7.5],
  [-1.2, 0.5, -1],
  [1e300, 1e-300, 1e300],
])('the nearest multiple to %d in steps of %d is %d', (value, step, nearest) => {
  expect(nearestMultiple(value, step)).toBe(nearest);
});
