import fc from 'fast-check';
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
  [1_800_000_000, 1_800_000_100, [1_800_000_100, 1_800_000_050, 1_800_000_000]],
  [10_000_000_000_001, 10_000_000_000_003, [10_000_000_000_003, 10_000_000_000_002, 10_000_000_000_001]],
])('a scale of values from %d to %d has round marks', (least, most, marks) => {
  expect(rangeScale(least, most)).toEqual({ bottom: marks.at(-1), top: marks[0], marks });
});

it('any two values have a place on their scale', () => {
  // The steps of a scale of still smaller values have fewer digits themselves.
  const hasDigits = (value: number) => value === 0 || Math.abs(value) > 1e-250;
  const value = fc
    .oneof(
      fc.double({ min: -1e100, max: 1e100, noNaN: true }),
      fc
        .tuple(fc.integer(), fc.integer({ min: -300, max: 60 }))
        .map(([digits, power]) => digits * 10 ** power),
    )
    .filter(hasDigits);
  const share = fc.constantFrom(0, 1e-15, 1e-14, 1e-13, 1e-11, 1e-6, 0.01, 1, 50);
  fc.assert(
    fc.property(value, share, (least, more) => {
      const most = least + Math.abs(least) * more;
      const { bottom, top, marks } = rangeScale(least, most);
      expect([bottom, top].every(Number.isFinite) && bottom < top).toBe(true);
      expect(new Set(marks).size).toBe(marks.length);
      expect([bottom, top]).toEqual([marks.at(-1), marks[0]]);
      for (const one of [least, most]) {
        const place = (one - bottom) / (top - bottom);
        // In the narrowest span, the last binary digits of a number are some percent of the whole.
        expect(place).toBeGreaterThan(-0.1);
        expect(place).toBeLessThan(1.1);
      }
    }),
  );
});
