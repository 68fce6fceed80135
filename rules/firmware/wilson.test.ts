import { describe, expect, it } from 'vitest';
import { difference, hitsAbove, wilson } from './wilson.ts';

const z = 2.576;
const resultsMin = 5;
const threshold = 0.05;

describe('the failure gate at 5 %', () => {
  it.each([
    [10, 3],
    [20, 4],
    [50, 7],
    [100, 11],
    [1_000, 68],
  ])('with %i results closes at %i failures, and not before', (total, failures) => {
    expect(wilson(failures, total, z).lower).toBeGreaterThan(threshold);
    expect(wilson(failures - 1, total, z).lower).toBeLessThanOrEqual(threshold);
    expect(hitsAbove(threshold, total, z)).toBe(failures);
  });

  it('closes after five failures of five, and never without a failure', () => {
    expect(hitsAbove(threshold, 5, z)).toBeLessThanOrEqual(5);
    expect(wilson(0, 100_000, z).lower).toBeCloseTo(0, 12);
    expect(hitsAbove(1, 10, z)).toBe(11);
  });

  it('stops a healthy release in about one of a hundred rollouts, and a failing one soon', () => {
    const random = randomFrom(20_261_122);
    const stopped = (share: number, rollouts: number) =>
      Array.from({ length: rollouts }, () => stopsAfter(share, 1_000, random)).filter(Boolean).length /
      rollouts;
    const healthy = stopped(0.02, 4_000);
    expect(healthy).toBeGreaterThan(0.005);
    expect(healthy).toBeLessThan(0.02);
    expect(stopped(0.1, 500)).toBeGreaterThan(0.99);
    expect(stopsAfter(1, 1_000, random)).toBe(resultsMin);
  });
});

/** After how many results a release with this failure rate is stopped; 0: never. */
function stopsAfter(share: number, results: number, random: () => number): number {
  let failures = 0;
  for (let total = 1; total <= results; total++) {
    if (random() < share) failures++;
    if (total >= resultsMin && wilson(failures, total, z).lower > threshold) return total;
  }
  return 0;
}

/** A deterministic random generator (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the difference of two shares', () => {
  it('is significant only if it is large enough for the number of results', () => {
    expect(difference({ hits: 10, total: 20 }, { hits: 2, total: 100 }, z).lower).toBeGreaterThan(0);
    expect(difference({ hits: 3, total: 20 }, { hits: 4, total: 100 }, z).lower).toBeLessThan(0);
    const same = difference({ hits: 5, total: 50 }, { hits: 5, total: 50 }, z);
    expect(same.lower).toBeCloseTo(-same.upper);
  });
});
