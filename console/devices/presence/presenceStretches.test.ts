import { expect, it } from 'vitest';
import { stretchesOf, summaryOf } from './presenceStretches.ts';

const at = (hour: number) => new Date(hour * 3_600_000).toISOString();
const hours = (presence: Parameters<typeof stretchesOf>[0]) =>
  stretchesOf(presence, 0, 24 * 3_600_000).map(
    ({ from, to, kind }) => `${from / 3_600_000}-${to / 3_600_000} ${kind}`,
  );
const given = (connectedAtBegin: boolean, ...changes: [number, boolean, string?][]) => ({
  connectedAtBegin,
  truncated: false,
  changes: changes.map(([hour, connected, reason]) => ({
    at: at(hour),
    connected,
    ...(reason && { reason }),
  })),
});

it('a time without changes is one stretch', () => {
  expect(hours(given(true))).toEqual(['0-24 connected']);
  expect(hours(given(false))).toEqual(['0-24 away']);
});

it('leaving on purpose and dropping out are told apart', () => {
  expect(hours(given(true, [4, false, 'CLOSED'], [5, true], [9, false, 'SILENT'], [10, true]))).toEqual([
    '0-4 connected',
    '4-5 away',
    '5-9 connected',
    '9-10 broken',
    '10-24 connected',
  ]);
});

it('a change before the time shown says only how it began, and one after it nothing', () => {
  expect(hours(given(false, [-1, true], [30, false]))).toEqual(['0-24 connected']);
});

it('a second connection beside the first is no change', () => {
  expect(hours(given(true, [3, true], [4, false, 'CLOSED']))).toEqual(['0-4 connected', '4-24 away']);
});

it('the sentence says how much, how often and how long', () => {
  const summary = (presence: Parameters<typeof stretchesOf>[0]) =>
    summaryOf(stretchesOf(presence, 0, 24 * 3_600_000));
  expect(summary(given(true))).toBe('Connected the whole time.');
  expect(summary(given(false))).toBe('Not connected in this period.');
  expect(summary(given(true, [4, false], [6, true]))).toBe('Connected 92%, disconnected once (2 h).');
});
