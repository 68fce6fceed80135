import { expect, it } from 'vitest';
import { isUnheard, stateOf } from './deviceWords.ts';

const never = { suspended: false, connectionStatus: 'never' as const, connection: {} };
const heard = { ...never, connection: { lastMessageAt: '2026-03-01T12:00:00.000Z' } };

it('a device that speaks by HTTP alone is not called new, nor never connected', () => {
  expect([isUnheard(never), stateOf(never).word]).toEqual([true, 'Never connected']);
  expect([isUnheard(heard), stateOf(heard).word]).toEqual([false, 'Uses HTTP']);
  expect(stateOf({ ...heard, suspended: true }).word).toBe('Suspended');
});
