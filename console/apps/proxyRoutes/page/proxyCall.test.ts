import { expect, it } from 'vitest';
import type { LogEntry } from '#contract/log.ts';
import { toProxyCall } from './proxyCall.ts';

const entry = (detail?: Record<string, unknown>): LogEntry => ({
  id: 'log_1',
  ts: '2026-11-20T08:00:00.000Z',
  level: 2,
  action: 'proxyCall',
  text: 'A call',
  actor: { callerType: 'user', id: 'usr_1', displayName: 'Ada' },
  ...(detail && { detail }),
});

const recorded = {
  method: 'POST',
  path: '/app/v1/a@p/appProxy/door?x=1',
  status: 200,
  ms: 12,
  sent: { url: 'https://back.example/door?x=1', headers: [['accept', '*/*']], body: '{}' },
  received: { status: 200, bytes: 2, headers: [], body: '{}' },
};

it('the last calls of a route show what was recorded, and the path below the route', () => {
  expect(toProxyCall(entry(recorded))).toEqual({
    id: 'log_1',
    ts: '2026-11-20T08:00:00.000Z',
    caller: 'Ada',
    ...recorded,
    path: '/door?x=1',
  });
});

it.each([
  undefined,
  { ...recorded, ms: '12' },
  { ...recorded, sent: { url: 1 } },
  { ...recorded, received: { headers: [['accept']] } },
])('an entry that is not as expected does not break the list: %j', detail => {
  expect(toProxyCall(entry(detail))).toMatchObject({ id: 'log_1', method: '', path: '/', status: 0 });
});
