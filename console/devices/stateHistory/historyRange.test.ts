import { expect, it } from 'vitest';
import { rangeOf } from './historyRange.ts';

const now = Date.parse('2026-11-22T14:03:27Z');
const shown = (search: Record<string, string>) => {
  const range = rangeOf(search, now);
  return range && [range.from, range.to].map(at => new Date(at).toISOString());
};

it('the query stays the same for a while, and always includes the newest values', () => {
  expect(shown({})).toEqual(['2026-11-21T14:10:00.000Z', '2026-11-22T14:10:00.000Z']);
  expect(shown({ history: '1h' })).toEqual(['2026-11-22T13:04:00.000Z', '2026-11-22T14:04:00.000Z']);
  expect(shown({ history: '30d' })?.[1]).toBe('2026-11-22T18:00:00.000Z');
});

it.each([
  { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  { from: 'yesterday', to: '2026-11-01T00:00:00Z' },
  { from: '2020-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  {},
])('a range that is not valid is not queried: %j', given => {
  expect(rangeOf({ history: 'custom', ...given }, now)).toBeUndefined();
});
