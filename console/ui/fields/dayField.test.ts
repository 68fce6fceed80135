import { afterEach, expect, test, vi } from 'vitest';
import { dayField, minuteField } from './dayField.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['UTC', '2026-11-20', '2026-11-20T22:15'],
  ['Europe/Tallinn', '2026-11-21', '2026-11-21T00:15'],
  ['America/New_York', '2026-11-20', '2026-11-20T17:15'],
])('date fields show a time as it is in the time zone of the browser: %s', (zone, day, minute) => {
  vi.stubEnv('TZ', zone);
  const time = new Date('2026-11-20T22:15:30Z');
  expect(dayField(time)).toBe(day);
  expect(minuteField(time)).toBe(minute);
});
