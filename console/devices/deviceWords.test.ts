import { expect, it } from 'vitest';
import { isUnheard, stateOf } from './deviceWords.ts';

const never = { suspended: false, connectionStatus: 'never' as const, connection: {} };
const heard = { ...never, connection: { lastMessageAt: '2026-03-01T12:00:00.000Z' } };

it('a device that only uses HTTP counts neither as new nor as "Never connected"', () => {
  expect([isUnheard(never), stateOf(never).word]).toEqual([true, 'Never connected']);
  expect([isUnheard(heard), stateOf(heard).word]).toEqual([false, 'Uses HTTP']);
  expect(stateOf({ ...heard, suspended: true }).word).toBe('Suspended');
});

it('a device that has polled for commands and now only sends still uses HTTP', () => {
  const polled = {
    suspended: false,
    connectionStatus: 'disconnected' as const,
    connection: { protocol: 'http' as const, since: '2026-03-01T12:00:00.000Z' },
  };
  const wordWith = (lastMessageAt: string, protocol: 'http' | 'mqtt' = 'http') =>
    stateOf({ ...polled, connection: { ...polled.connection, protocol, lastMessageAt } }).word;
  expect(wordWith('2026-03-01T12:05:00.000Z')).toBe('Uses HTTP');
  expect(wordWith('2026-03-01T11:59:00.000Z')).toBe('Disconnected');
  expect(wordWith('2026-03-01T12:05:00.000Z', 'mqtt')).toBe('Disconnected');
});
