import { expect, test } from 'vitest';
import { parseSubscribedEvents } from './subscribedEvents.ts';

test.each([
  ['', []],
  ['  \n\t ', []],
  ['*', ['*']],
  [' * ', ['*']],
  ['press motion', ['motion', 'press']],
  ['press\tmotion\nopened\u00a0alarm', ['alarm', 'motion', 'opened', 'press']],
  ['Press press PRESS', ['Press']],
  ['b _a-b_ A', ['_a-b_', 'A', 'b']],
])('the names in %j are parsed, sorted and deduplicated', (text, names) => {
  expect(parseSubscribedEvents(text)).toEqual({ names, faults: [] });
});

test.each([
  ['* press', ['*']],
  ['a--b -a a_ 1a ä _x press', ['a--b', '-a', 'a_', '1a', 'ä', '_x']],
  ['bad! bad!', ['bad!']],
  ['a'.repeat(101), ['a'.repeat(101)]],
])('what is no name in %j is said', (text, faults) => {
  expect(parseSubscribedEvents(text).faults).toEqual(faults);
});

test('a long text that almost matches is read in linear time', () => {
  const text = `${'a'.repeat(100_000)}!`;
  expect(parseSubscribedEvents(text)).toEqual({ names: [], faults: [text] });
});
