import { expect, it } from 'vitest';
import { faultOf, nextTime } from './nextTimes.ts';
import { previewOf } from './preview.ts';

/** Follows a schedule as the platform does: each due time is the start for the next. */
function dueTimes(cron: string, timeZone: string, from: string, count: number): string[] {
  const times: string[] = [];
  let at: Date | undefined = new Date(from);
  while (times.length < count && at) {
    at = nextTime({ cron, timeZone }, at);
    if (at) times.push(at.toISOString().slice(0, 16));
  }
  return times;
}

// In each of these zones, a clock change skips or repeats 2:30; a schedule at that time still runs once a day.
it.each([
  ['Europe/Oslo', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
  ['Europe/Oslo', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
  ['America/New_York', '2026-03-07T12:00Z', ['2026-03-08T07:00', '2026-03-09T06:30']],
  ['Australia/Lord_Howe', '2026-10-03T10:00Z', ['2026-10-03T15:30', '2026-10-04T15:30']],
])('a schedule at 2:30 in %s from %s on is due at %j', (timeZone, from, expected) => {
  expect(dueTimes('30 2 * * *', timeZone, from, 2)).toEqual(expected);
});

// Clocks go forward from 23:00 to midnight, so that a Saturday ends an hour early.
it.each([
  ['30 23 * * *', ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']],
  ['15,45 23 * * 6', ['2026-03-29T01:00', '2026-04-05T00:15', '2026-04-05T00:45']],
  ['0 0 * * *', ['2026-03-28T02:00', '2026-03-29T01:00', '2026-03-30T01:00']],
])(
  'a schedule %s in Scoresbysund is due at %j, although its hour is skipped before midnight',
  (cron, expected) => {
    expect(dueTimes(cron, 'America/Scoresbysund', '2026-03-28T00:00Z', 3)).toEqual(expected);
  },
);

it('a schedule at a time that a whole skipped day contains is due right after that day', () => {
  expect(dueTimes('30 12 * * *', 'Pacific/Apia', '2011-12-29T20:00Z', 3)).toEqual([
    '2011-12-29T22:30',
    '2011-12-30T10:00',
    '2011-12-30T22:30',
  ]);
});

it('a schedule at 1:30 in New York is due once on the day when that hour is repeated', () => {
  const expected = ['2026-11-01T05:30', '2026-11-02T06:30'];
  expect(dueTimes('30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', 2)).toEqual(expected);
});

it('a schedule for every half hour is also due throughout a repeated hour', () => {
  const expected = ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'];
  expect(dueTimes('*/30 * * * *', 'Europe/Oslo', '2026-10-25T00:00Z', 4)).toEqual(expected);
});

it.each([
  ['0 7 * * 1-5', 'Europe/Oslo', undefined],
  ['0 7 * * MON', 'UTC', undefined],
  ['0 7 * * 1-5', 'Europe/Olso', 'timeZone'],
  ['0 7 * * 1-5', '+02:00', 'timeZone'],
  ['0 0 7 * * 1', 'UTC', 'cron'],
  ['@daily', 'UTC', 'cron'],
  ['? * * * *', 'UTC', 'cron'],
  ['61 * * * *', 'UTC', 'cron'],
  ['0 0 30 2 *', 'UTC', 'cron'],
  ['0 7 * * constructor', 'UTC', 'cron'],
])('the schedule %s in %s is invalid at %s', (cron, timeZone, field) => {
  expect(faultOf({ cron, timeZone })?.field).toBe(field);
});

it.each([
  ['30 2 * * *', ['2026-10-25T00:30'], 'happens once'],
  ['*/30 * * * *', ['2026-10-25T00:30', '2026-10-25T01:30'], 'happens both times'],
  ['*/30 2 * * *', ['2026-10-25T00:30', '2026-10-25T01:30'], 'happens both times'],
])(
  'the note of a preview says how often %s is due at 2:30 when that hour is repeated',
  (cron, due, words) => {
    const from = new Date('2026-10-24T23:59:00Z');
    const { next } = previewOf({ cron, timeZone: 'Europe/Oslo' }, from);
    const times = next.filter(({ at, local }) => local.includes('02:30') && at < '2026-10-25T02');
    expect(times.map(({ at }) => at.slice(0, 16))).toEqual(due);
    for (const { note } of times) expect(note).toContain(words);
  },
);

it('the note of a preview says that an interval has no runs in a skipped hour', () => {
  const { next } = previewOf(
    { cron: '30 * * * *', timeZone: 'Europe/Oslo' },
    new Date('2026-03-28T23:59:00Z'),
  );
  expect(next.map(({ local }) => local.slice(-10, -5))).not.toContain('02:30');
  expect(next[0]?.note).toContain('no runs in the skipped hour');
});

it('a preview shows local time, and notes a clock change', () => {
  const when = { cron: '30 2 * * *', timeZone: 'Europe/Oslo' };
  const { next, fault } = previewOf(when, new Date('2026-03-28T12:00:00Z'));
  expect(fault).toBeUndefined();
  expect(next).toHaveLength(5);
  expect(next[0]).toEqual({
    at: '2026-03-29T01:00:00.000Z',
    local: 'Sun, 29 Mar 2026, 03:00 CEST',
    note: expect.stringContaining('forward by 1 h'),
  });
  expect(next[1]?.note).toBeUndefined();
});
