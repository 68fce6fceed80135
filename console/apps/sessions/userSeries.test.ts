import { expect, test } from 'vitest';
import type { AppFigures } from '#contract/app.ts';
import { usersByDay, usersByHour } from './userSeries.ts';

const now = Date.parse('2026-11-21T13:30:00Z');
const figures = {
  usersByDay: [
    { day: '2026-11-01', users: 4 },
    { day: '2026-11-21', users: 9 },
  ],
  usersByHour: [{ hour: '2026-11-21T13:00:00.000Z', users: 2 }],
} as AppFigures;

test('days without users count as zero, and the last day is today', () => {
  const { points } = usersByDay(figures, '2026-01-01T00:00:00Z', now);
  expect(points).toHaveLength(30);
  expect(points.map(({ value }) => value).filter(Boolean)).toEqual([4, 9]);
  expect(points.at(-1)).toEqual({ at: Date.parse('2026-11-21'), value: 9 });
});

test('the chart of a new app begins with the app, but shows at least a week', () => {
  expect(usersByDay(figures, '2026-11-10T23:00:00Z', now).points).toHaveLength(12);
  expect(usersByDay(figures, '2026-11-21T12:00:00Z', now).points).toHaveLength(7);
});

test('the last hour is the current one', () => {
  const { points } = usersByHour(figures, now);
  expect(points).toHaveLength(24);
  expect(points.at(-1)).toEqual({ at: Date.parse('2026-11-21T13:00:00Z'), value: 2 });
});
