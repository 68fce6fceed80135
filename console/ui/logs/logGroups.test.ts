import { expect, test } from 'vitest';
import type { LogEntry } from '#contract/log.ts';
import { logDays } from './logGroups.ts';

let count = 0;
function anEntry(at: Date, text: string, detail = {}): LogEntry {
  count += 1;
  const actor = { callerType: 'developer' as const, id: 'dvl_1', displayName: 'Ada' };
  return { id: `log_${count}`, ts: at.toISOString(), level: 2, actor, action: 'editProject', text, detail };
}
const at = (day: number, hour: number) => new Date(2026, 2, day, hour);

test('the entries of each day are under one heading', () => {
  const days = logDays([anEntry(at(3, 9), 'c'), anEntry(at(2, 23), 'b'), anEntry(at(2, 1), 'a')]);
  expect(days.map(({ groups }) => groups.map(([{ text }]) => text))).toEqual([['c'], ['b', 'a']]);
  expect(new Set(days.map(({ words }) => words)).size).toBe(2);
});

test('three or more equal entries are one line, and two are not', () => {
  const same = [5, 4, 3].map(hour => anEntry(at(2, hour), 'Device added'));
  const pair = [2, 1].map(hour => anEntry(at(2, hour), 'Device deleted'));
  const [day] = logDays([...same, ...pair]);
  expect(day?.groups.map(group => group.length)).toEqual([3, 1, 1]);
});

test('entries with different changes are not combined', () => {
  const changes = ['a', 'b', 'c'].map((name, hour) =>
    anEntry(at(2, hour), 'Settings changed', { before: { name: '' }, after: { name } }),
  );
  expect(logDays(changes)[0]?.groups).toHaveLength(3);
});
