import { describe, expect, it } from 'vitest';
import { timeZoneNamed } from '../time/timeZone.ts';
import { isWithinWindow } from './guestWindow.ts';

const oslo = 'Europe/Oslo';
const within = (window: Parameters<typeof isWithinWindow>[0], now: string, timeZone = oslo) =>
  isWithinWindow(window, { timeZone, now: new Date(now) });

it('a guest without bounds always has access', () => {
  expect(within({}, '2026-11-22T12:00:00Z')).toBe(true);
});

const from = new Date('2026-11-20T10:00:00Z');
const until = new Date('2026-11-21T10:00:00Z');
it.each([
  [{ from }, '2026-11-20T09:59:59.999Z', false],
  [{ from }, '2026-11-20T10:00:00Z', true],
  [{ until }, '2026-11-21T09:59:59.999Z', true],
  [{ until }, '2026-11-21T10:00:00Z', false],
  [{ from, until }, '2026-11-20T22:00:00Z', true],
  [{ from, until }, '2026-11-22T22:00:00Z', false],
])('absolute bounds %j at %s: %s', (window, now, expected) => {
  expect(within(window, now)).toBe(expected);
});

describe('a weekly window in the time zone of the home', () => {
  const morning = { days: [1, 3], from: '08:00', to: '12:00' };
  const night = { days: [5], from: '22:00', to: '02:00' };
  const wholeDay = { days: [7], from: '00:00', to: '00:00' };
  // Oslo is one hour ahead of UTC in winter, and two in summer. 2026-11-23 is a Monday.
  it.each([
    [morning, '2026-11-23T06:59:59Z', false],
    [morning, '2026-11-23T07:00:00Z', true],
    [morning, '2026-11-23T10:59:59Z', true],
    [morning, '2026-11-23T11:00:00Z', false],
    [morning, '2026-11-24T08:00:00Z', false],
    [morning, '2026-11-25T08:00:00Z', true],
    // In summer.
    [morning, '2026-07-06T06:00:00Z', true],
    [morning, '2026-07-06T10:00:00Z', false],
    // Across midnight: from Friday evening to Saturday morning.
    [night, '2026-11-27T20:59:59Z', false],
    [night, '2026-11-27T21:00:00Z', true],
    [night, '2026-11-28T00:59:59Z', true],
    [night, '2026-11-28T01:00:00Z', false],
    [night, '2026-11-27T00:30:00Z', false],
    [night, '2026-11-28T21:30:00Z', false],
    // From Sunday to Monday.
    [{ days: [7], from: '23:00', to: '01:00' }, '2026-11-22T23:30:00Z', true],
    [{ days: [1], from: '23:00', to: '01:00' }, '2026-11-22T23:30:00Z', false],
    // From midnight to midnight.
    [wholeDay, '2026-11-21T22:59:59Z', false],
    [wholeDay, '2026-11-21T23:00:00Z', true],
    [wholeDay, '2026-11-22T22:59:59Z', true],
    [wholeDay, '2026-11-22T23:00:00Z', false],
    // The clock is set forward from 02:00 to 03:00: a window within that hour is skipped, one that extends beyond it
    // begins at 03:00.
    [{ days: [7], from: '02:00', to: '03:00' }, '2026-03-29T00:59:59Z', false],
    [{ days: [7], from: '02:00', to: '03:00' }, '2026-03-29T01:00:00Z', false],
    [{ days: [7], from: '02:30', to: '03:30' }, '2026-03-29T01:00:00Z', true],
    [{ days: [7], from: '02:30', to: '03:30' }, '2026-03-29T01:30:00Z', false],
    // The clock is set back from 03:00 to 02:00: the hour occurs twice.
    [{ days: [7], from: '02:00', to: '03:00' }, '2026-10-24T23:59:59Z', false],
    [{ days: [7], from: '02:00', to: '03:00' }, '2026-10-25T00:00:00Z', true],
    [{ days: [7], from: '02:00', to: '03:00' }, '2026-10-25T01:59:59Z', true],
    [{ days: [7], from: '02:00', to: '03:00' }, '2026-10-25T02:00:00Z', false],
  ])('%j at %s: %s', (weekly, now, expected) => {
    expect(within({ weekly }, now)).toBe(expected);
  });

  it('applies in addition to the absolute bounds', () => {
    expect(within({ weekly: morning, until }, '2026-11-18T08:00:00Z')).toBe(true);
    expect(within({ weekly: morning, until }, '2026-11-23T08:00:00Z')).toBe(false);
  });

  it.each([
    ['Pacific/Kiritimati', '2026-11-22T10:00:00Z', true],
    ['America/Los_Angeles', '2026-11-23T07:59:00Z', false],
    ['Asia/Kathmandu', '2026-11-22T18:15:00Z', true],
  ])('in %s Monday at %s: %s', (timeZone, now, expected) => {
    expect(within({ weekly: { days: [1], from: '00:00', to: '00:00' } }, now, timeZone)).toBe(expected);
  });
});

it.each([
  ['Europe/Oslo', 'Europe/Oslo'],
  ['europe/oslo', 'Europe/Oslo'],
  ['UTC', 'UTC'],
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['Europe/Nowhere', undefined],
  ['+02:00', undefined],
  ['-01', undefined],
  ['', undefined],
  ['Europe/Oslo\n', undefined],
])('the time zone named %j is %s', (name, zone) => {
  expect(timeZoneNamed(name)).toBe(zone);
});
