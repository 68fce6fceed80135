import { expect, test } from 'vitest';
import { costText, eventRows, switched } from './eventRows.ts';

const events = [
  { name: 'motion', deviceClass: 'thermostat', count: 6120 },
  { name: 'press', deviceClass: 'thermostat', count: 1800 },
  { name: 'opened', deviceClass: 'door-sensor', count: 702 },
  { name: 'press', deviceClass: 'switch', count: 44 },
];

test('an event of two classes is one row, and an event without occurrences is listed if subscribed to', () => {
  const rows = eventRows(events, ['overheat', 'Press']);
  expect(rows.map(({ name, count, on }) => [name, count, on])).toEqual([
    ['motion', 6120, false],
    ['Press', 1844, true],
    ['opened', 702, false],
    ['overheat', 0, true],
  ]);
  expect(rows[1]?.deviceClasses).toEqual(['thermostat', 'switch']);
  expect(costText(rows, false)).toBe('1,844 events a day reach sessions; * would make it 8,666.');
});

test('with a star every event is on, and switching one off keeps the others by name', () => {
  const rows = eventRows(events, ['*']);
  expect(rows.every(({ on }) => on)).toBe(true);
  expect(switched(['*'], rows, 'press', false)).toEqual(['motion', 'opened']);
});

test('switching an event ignores the case of its name', () => {
  const rows = eventRows(events, ['Press']);
  expect(switched(['Press'], rows, 'press', false)).toEqual([]);
  expect(switched(['Press'], rows, 'motion', true)).toEqual(['motion', 'Press']);
});

test('the text says when nothing is subscribed to, and when everything is', () => {
  expect(costText(eventRows(events, []), false)).toBe('No events reach sessions; * would make it 8,666.');
  const all = eventRows(events, ['motion', 'opened', 'press']);
  expect(costText(all, false)).toBe('8,666 events a day reach sessions, as many as with *.');
  expect(costText(eventRows([], ['*']), true)).toContain('None occurred');
  expect(costText(eventRows([], []), false)).toBe(
    'No events reach sessions. None occurred in the last 24 hours.',
  );
});
