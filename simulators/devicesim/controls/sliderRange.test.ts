import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sliderRange } from './sliderRange.ts';

it.each([
  ['temperature', 21.5, { min: -20, max: 60, step: 0.5 }],
  ['temperature', 900, { min: 0, max: 2000, step: 10 }],
  ['battery', 87, { min: 0, max: 100, step: 1 }],
  ['count', 0, { min: 0, max: 10, step: 1 }],
  ['count', 7, { min: 0, max: 20, step: 1 }],
  ['ratio', 0.25, { min: 0, max: 1, step: 0.005 }],
  ['offset', -30, { min: -100, max: 100, step: 1 }],
])('the slider for %s at %d has the range %j', (name, value, range) => {
  expect(sliderRange(name, value)).toEqual({ ...range, step: expect.any(Number) });
  expect(sliderRange(name, value).step).toBeLessThanOrEqual(range.max);
});

it('a number is within its slider range', () => {
  fc.assert(
    fc.property(fc.string(), fc.double({ noNaN: true, min: -1e9, max: 1e9 }), (name, value) => {
      const { min, max, step } = sliderRange(name, value);
      expect(value).toBeGreaterThanOrEqual(min);
      expect(value).toBeLessThanOrEqual(max);
      expect(step).toBeGreaterThan(0);
    }),
  );
});
