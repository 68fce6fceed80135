import { expect, it } from 'vitest';
import { pauses, pollInterval } from './pollInterval.ts';

it('a few events are followed by a short rest and many by a longer one, within limits', () => {
  expect([0, 2, 30, 60].map(pollInterval)).toEqual([pauses.leastMs, pauses.leastMs, 120, 240]);
  expect(pollInterval(10_000)).toBe(pauses.mostMs);
});
