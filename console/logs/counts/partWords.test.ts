import { expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { type LevelWords, partsOf, partText, ticksOf } from './partWords.ts';

const words: LevelWords = {
  all: ['line', 'lines'],
  warnings: ['warning', 'warnings'],
  errors: ['error', 'errors'],
};
const midnight = new Date(2026, 10, 27).getTime();

it('a part says how many lines it has, and names only the levels that occur', () => {
  const range = { begin: midnight + 8 * hourMs, end: midnight + 8.25 * hourMs };
  expect(partText(range, [1, 3, 120, 0], words)).toBe(
    '27 Nov, 08:00 to 08:15: 124 lines, 3 warnings, 1 error',
  );
  expect(partText(range, [0, 0, 1, 0], words)).toBe('27 Nov, 08:00 to 08:15: 1 line');
  const overnight = { begin: midnight - hourMs, end: midnight + hourMs };
  expect(partText(overnight, [], words)).toBe('26 Nov, 23:00 to 27 Nov, 01:00: 0 lines');
});

it.each([
  [hourMs, 12],
  [dayMs, 24],
  [7 * dayMs, 0],
  [365 * dayMs, 0],
])('the ticks of a range of %i ms are at round times, few, and end with its end', length => {
  const begin = midnight + 7 * minuteMs;
  const ticks = ticksOf({ begin, end: begin + length }, true);
  expect(ticks.length).toBeGreaterThan(2);
  expect(ticks.length).toBeLessThanOrEqual(9);
  expect(ticks.at(-1)).toEqual({ at: 1, text: 'now' });
  for (const { at } of ticks.slice(0, -1)) {
    expect(Math.round(begin + at * length - midnight) % minuteMs).toBe(0);
    expect(at).toBeGreaterThanOrEqual(0);
  }
});

it('parts without entries are empty, and each of the others is in its place', () => {
  const parts = partsOf({
    begin: 0,
    end: 4_000,
    counts: {
      stepMs: 1_000,
      hits: 3,
      levels: [1, 0, 2, 0],
      parts: [
        { begin: new Date(0).toISOString(), levels: [1, 0, 0, 0] },
        { begin: new Date(3_000).toISOString(), levels: [0, 0, 2, 0] },
      ],
    },
  });
  expect(parts).toEqual([[1, 0, 0, 0], [], [], [0, 0, 2, 0]]);
});
