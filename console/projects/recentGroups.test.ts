import { expect, it } from 'vitest';
import type { LogEntry } from '#contract/log.ts';
import { recentGroups } from './recentGroups.ts';

const entry = (action: string, text: string, actor = 'dvl_1'): LogEntry => ({
  id: text,
  ts: '2026-11-20T12:00:00.000Z',
  level: 2,
  actor: { callerType: 'developer', id: actor, displayName: 'Mari' },
  action,
  text,
});

const texts = (entries: LogEntry[]) => recentGroups(entries).map(group => group.map(({ text }) => text));

it('the same change by the same person to many devices is one line', () => {
  const sent = ['a', 'b', 'c'].map(name => entry('sendCommand', name));
  expect(texts([...sent, entry('editDevice', 'd')])).toEqual([['a', 'b', 'c'], ['d']]);
  expect(texts([entry('editDevice', 'a'), entry('editDevice', 'b', 'dvl_2')])).toEqual([['a'], ['b']]);
});

it('sign-ins are left out, and do not split a group', () => {
  expect(texts([entry('editDevice', 'a'), entry('logIn', 'b'), entry('editDevice', 'c')])).toEqual([
    ['a', 'c'],
  ]);
});
