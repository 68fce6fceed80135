import { expect, it } from 'vitest';
import { accessOfGuest, draftOfGuest, emptyGuest, guestFault } from './guestDraft.ts';
import { daysText, windowState, windowText } from './guestWords.ts';

it.each([
  [[1, 4], 'Mondays and Thursdays'],
  [[5, 1, 2, 4, 3], 'Monday to Friday'],
  [[6, 7], 'Saturdays and Sundays'],
  [[1, 2, 3, 4, 5, 6, 7], 'every day'],
  [[3], 'Wednesdays'],
])('the days %j read as %s', (days, words) => {
  expect(daysText(days)).toBe(words);
});

const guest = {
  devices: [
    { deviceId: 'dev_1', mayControl: true },
    { deviceId: 'dev_2', mayControl: false },
  ],
  until: '2026-11-30T17:00:00.000Z',
  weekly: { days: [1, 4], from: '08:00', to: '12:00' },
};

it('the window is given in the time zone of the home', () => {
  expect(windowText(guest, 'Europe/Oslo')).toBe(
    'Mondays and Thursdays, 08:00 to 12:00, until 30 Nov 2026, 18:00',
  );
  expect(windowText({ devices: [], from: '2026-11-30T23:00:00.000Z' }, 'Europe/Oslo')).toBe(
    'from 1 Dec 2026',
  );
  expect(windowText({ devices: [] }, 'Europe/Oslo')).toBe('');
});

it('a form shows what is stored, and stores what it shows', () => {
  const draft = draftOfGuest(guest, 'Europe/Oslo');
  expect(draft).toMatchObject({ devices: { dev_1: 'control', dev_2: 'view' }, until: '2026-11-30T18:00' });
  expect(accessOfGuest(draft, 'Europe/Oslo')).toEqual(guest);
});

it.each([
  [emptyGuest, /at least one device/],
  [
    { ...emptyGuest, devices: { a: 'view' as const }, from: '2026-11-30T10:00', until: '2026-11-30T10:00' },
    /after/,
  ],
  [{ ...emptyGuest, devices: { a: 'view' as const }, isWeekly: true, days: [] }, /day of the week/],
  [{ ...emptyGuest, devices: { a: 'view' as const }, isWeekly: true, closes: '08:00' }, /two different/],
])('values that the server would refuse are reported before sending', (draft, sentence) => {
  expect(guestFault(draft)).toMatch(sentence);
});

it('a window that has ended is distinguished from one that has not started', () => {
  const now = Date.parse('2026-11-30T17:00:00Z');
  expect(windowState(guest, now)).toBe('over');
  expect(windowState({ devices: [], from: '2026-12-01T00:00:00Z' }, now)).toBe('ahead');
  expect(windowState({ devices: [] }, now)).toBe('open');
});
