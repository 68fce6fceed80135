import { expect, test } from 'vitest';
import { relativeTime } from './TimeAgo.tsx';

const now = Date.parse('2026-03-14T12:00:00Z');
const ago = (seconds: number) => relativeTime(new Date(now - seconds * 1000).toISOString(), now);

test.each([
  [0, 'now'],
  [-30, 'now'],
  [4, 'now'],
  [12, '12 s ago'],
  [180, '3 min ago'],
  [7300, '2 h ago'],
  [86_400, '1 day ago'],
  [200_000, '2 days ago'],
  [-3700, 'in 1 h'],
  [40 * 86_400, '2 Feb 2026'],
])('%i seconds ago is shown as "%s"', (seconds, text) => expect(ago(seconds)).toBe(text));

test.each([
  [-30, 'in 30 s'],
  [0, 'now'],
  [12, '12 s ago'],
])('a due time, %i seconds ago, is shown as "%s"', (seconds, text) => {
  expect(relativeTime(new Date(now - seconds * 1000).toISOString(), now, 0)).toBe(text);
});
