import { expect, it } from 'vitest';
import { momentOf, wallTime } from './wallTime.ts';

it.each([
  ['2026-11-30T10:15', 'Europe/Oslo', '2026-11-30T09:15:00.000Z'],
  ['2026-07-01T00:00', 'Europe/Oslo', '2026-06-30T22:00:00.000Z'],
  ['2026-01-01T12:00', 'Pacific/Auckland', '2025-12-31T23:00:00.000Z'],
  ['2026-01-01T12:00', 'Asia/Kolkata', '2026-01-01T06:30:00.000Z'],
])('%s on a clock in %s is %s, and the reverse', (wall, zone, moment) => {
  expect(momentOf(wall, zone)).toBe(moment);
  expect(wallTime(moment, zone)).toBe(wall);
});

it('a skipped time means the time after the gap, and a repeated time the first of the two', () => {
  expect(momentOf('2026-03-29T02:30', 'Europe/Oslo')).toBe('2026-03-29T01:30:00.000Z');
  expect(momentOf('2026-10-25T02:30', 'Europe/Oslo')).toBe('2026-10-25T00:30:00.000Z');
});
