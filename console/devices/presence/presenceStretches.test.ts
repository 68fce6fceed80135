import { expect, it } from 'vitest';
import { hourMs } from '#rules/time/durations.ts';
import { dropsOf, stretchesOf, summaryOf } from './presenceStretches.ts';

type Given = Parameters<typeof stretchesOf>[0];

const at = (hour: number) => new Date(hour * hourMs).toISOString();
const stretches = (presence: Given, recordedFrom = 0) =>
  stretchesOf(presence, { from: 0, to: 24 * hourMs, recordedFrom: recordedFrom * hourMs });
const text = ({ from, to, kind }: { from: number; to: number; kind: string }) =>
  `${from / hourMs}-${to / hourMs} ${kind}`;
const given = (connectedAtBegin: boolean, ...changes: [number, boolean, string?][]): Given => ({
  connectedAtBegin,
  truncated: false,
  changes: changes.map(([hour, connected, reason]) => ({
    at: at(hour),
    connected,
    ...(reason && { reason }),
  })),
});
const hours = (presence: Given, recordedFrom?: number) => stretches(presence, recordedFrom).map(text);

it('a period without changes is one stretch', () => {
  expect(hours(given(true))).toEqual(['0-24 connected']);
  expect(hours(given(false))).toEqual(['0-24 away']);
});

it('a takeover by a newer connection is not shown as a disconnection', () => {
  expect(hours(given(true, [4, false, 'CLOSED'], [5, true], [9, false, 'TAKEN_OVER'], [10, true]))).toEqual([
    '0-4 connected',
    '4-5 away',
    '5-9 connected',
    '9-10 taken',
    '10-24 connected',
  ]);
});

it('a change before the period sets its initial state, and one after it is ignored', () => {
  expect(hours(given(false, [-1, true], [30, false]))).toEqual(['0-24 connected']);
});

it('a second parallel connection is not a change', () => {
  expect(hours(given(true, [3, true], [4, false, 'CLOSED']))).toEqual(['0-4 connected', '4-24 away']);
});

it('there is no record from before the device was created, nor where the oldest changes are left out', () => {
  expect(hours(given(false, [21, true]), 20)).toEqual(['0-20 unrecorded', '20-21 away', '21-24 connected']);
  expect(hours({ ...given(true, [6, false], [7, true]), truncated: true })).toEqual([
    '0-6 unrecorded',
    '6-7 away',
    '7-24 connected',
  ]);
  expect(hours(given(false), 30)).toEqual(['0-24 unrecorded']);
});

it('a drop is a disconnection after a connection', () => {
  const drops = (presence: Given) => dropsOf(stretches(presence)).map(text);
  expect(drops(given(false, [3, true], [5, false], [6, true]))).toEqual(['5-6 away']);
  expect(drops(given(false))).toEqual([]);
});

it.each([
  [given(true), 0, 'Connected the whole time'],
  [given(false), 0, 'Not connected in this period'],
  [given(false), 20, 'Not connected so far'],
  [given(true), 20, 'Connected for all of the 4 h on record'],
  [given(true, [4, false], [6, true]), 0, 'Connected 92 %, disconnected once, 2 h in all'],
  [given(false, [6, true]), 0, 'Connected 75 %'],
  [
    given(true, [21, false], [22, true], [23, false], [23.5, true]),
    20,
    'Connected 63 % of the 4 h on record, disconnected 2 times, 1 h 30 min in all',
  ],
])('the summary says how much of the recorded time, how often and for how long', (presence, from, summary) =>
  expect(summaryOf(stretches(presence, from))).toBe(summary),
);
