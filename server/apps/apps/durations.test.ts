import { expect, it } from 'vitest';
import { bucketOf, bucketsMax, medianOf } from './durations.ts';

function counted(durations: readonly number[]): number[] {
  const counts = Array.from({ length: bucketsMax }, () => 0);
  for (const ms of durations) counts[bucketOf(ms)] = (counts[bucketOf(ms)] ?? 0) + 1;
  return counts;
}

it.each([
  [[21], 21],
  [[0.8, 1, 1.2], 1],
  [[5, 20, 30_000], 20],
  [[100, 100, 100, 900], 100],
])('the median of %j is accurate to a tenth', (durations, median) => {
  const told = medianOf(counted(durations)) ?? 0;
  expect(told / median).toBeGreaterThan(0.89);
  expect(told / median).toBeLessThan(1.11);
});

it('durations below the first and above the last bucket are counted in those', () => {
  expect([bucketOf(0), bucketOf(1e9)]).toEqual([0, bucketsMax - 1]);
  expect(medianOf(counted([]))).toBeUndefined();
});
