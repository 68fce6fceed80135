import { expect, it } from 'vitest';
import { quietUntil } from './quietHours.ts';

const inOslo = (from: string, to: string, now: string) =>
  quietUntil({ from, to, timeZone: 'Europe/Oslo' }, new Date(now))?.toISOString();

it.each([
  ['22:00', '07:00', '2026-01-15T20:59:00Z', undefined],
  ['22:00', '07:00', '2026-01-15T21:00:00Z', '2026-01-16T06:00:00.000Z'],
  ['22:00', '07:00', '2026-01-16T05:59:30Z', '2026-01-16T06:00:00.000Z'],
  ['22:00', '07:00', '2026-01-16T06:00:00Z', undefined],
  ['12:00', '13:00', '2026-01-16T11:30:00Z', '2026-01-16T12:00:00.000Z'],
  ['12:00', '12:00', '2026-01-16T11:00:00Z', undefined],
])('quiet hours from %s to %s, at %s, last until %s', (from, to, now, until) => {
  expect(inOslo(from, to, now)).toBe(until);
});

it('quiet hours during a clock change end by local time', () => {
  expect(inOslo('22:00', '07:00', '2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
  expect(inOslo('22:00', '07:00', '2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
});

it('quiet hours whose end is skipped by a clock change end after the skipped hour', () => {
  for (const now of ['2026-03-28T21:00:00Z', '2026-03-29T00:30:00Z', '2026-03-29T00:59:00Z']) {
    const until = inOslo('22:00', '02:30', now) ?? '';
    expect(until).toBe('2026-03-29T01:30:00.000Z');
    expect(inOslo('22:00', '02:30', until)).toBeUndefined();
  }
});
