import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logViews, logWindow } from './logViews.ts';

const now = new Date(2026, 2, 14, 15, 9, 26);
const hours = (begin: string, end: string) => (Date.parse(end) - Date.parse(begin)) / 3_600_000;

test('the views are the nine of the specification', () => {
  expect(logViews.map(({ label }) => label)).toEqual([
    'Most Recent',
    'Today',
    'Yesterday',
    '2 days ago',
    '3 days ago',
    '4 days ago',
    '5 days ago',
    '6 days ago',
    '7 days ago',
  ]);
});

test('Most Recent is at most 5 entries of the last 30 days', () => {
  const { begin, end, maxEntries } = logWindow('recent', now);
  expect([maxEntries, hours(begin, end), end]).toEqual([5, 720, now.toISOString()]);
});

test('today goes from local midnight to now', () => {
  const { begin, end, maxEntries } = logWindow('today', now);
  expect([new Date(begin), new Date(end), maxEntries]).toEqual([new Date(2026, 2, 14), now, 15]);
});

describe('around a change of clocks', () => {
  const zone = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = 'Europe/Oslo';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test.each([
    ['25', 26],
    ['23', 30],
  ])('a day of %s hours is shown whole', (length, date) => {
    const isAutumn = length === '25';
    const after = new Date(2026, isAutumn ? 9 : 2, date, 12);
    const { begin, end } = logWindow('yesterday', after);
    expect(hours(begin, end)).toBe(Number(length));
  });
});

test.each([
  ['yesterday', 13],
  ['2', 12],
  ['7', 7],
])('%s spans 24 hours from local midnight, 15 entries a page', (view, date) => {
  const { begin, end, maxEntries } = logWindow(view, now);
  expect(new Date(begin)).toEqual(new Date(2026, 2, date));
  expect([hours(begin, end), maxEntries]).toEqual([24, 15]);
});

test('an unknown view in the address is Most Recent', () => {
  expect(logWindow('2.5', now).maxEntries).toBe(5);
});
