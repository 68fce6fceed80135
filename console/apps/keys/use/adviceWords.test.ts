import { expect, test } from 'vitest';
import type { Capability } from '#contract/endpoint.ts';
import type { KeyUse } from '#contract/key.ts';
import { adviceSentence, adviceText, turnOffLabel } from './adviceWords.ts';

type Use = KeyUse['capabilities'][number];
const unused = (capability: Capability): Use => ({ capability, calls: 0, days: [], advice: 'unused' });
const rare = (capability: Capability, calls: number): Use => ({
  capability,
  calls,
  days: [{ day: '2026-11-02', calls }],
  advice: 'rare',
});

test.each([
  [
    [unused('canUpdateKVStores'), rare('canAdmin', 3)],
    'In 30 days it never updated key-value stores and acted as admin three times, all on 2 November.',
  ],
  [[unused('canSendEvents')], 'In 30 days it never sent events.'],
  [
    [unused('canSendCommands'), unused('canSendEvents'), unused('canAdmin')],
    'In 30 days it never sent commands, sent events or acted as admin.',
  ],
  [[rare('canAdmin', 1)], 'In 30 days it acted as admin once, on 2 November.'],
  [[rare('canAdmin', 2)], 'In 30 days it acted as admin twice, both on 2 November.'],
  [[rare('canAdmin', 1200)], 'In 30 days it acted as admin 1,200 times, all on 2 November.'],
])('the advice is a sentence', (uses, sentence) => {
  expect(adviceSentence(uses)).toBe(sentence);
});

test('the button says how many capabilities it turns off', () => {
  expect(turnOffLabel(['canAdmin'])).toBe('Turn it off');
  expect(turnOffLabel(['canAdmin', 'canSendEvents'])).toBe('Turn off both');
  expect(turnOffLabel(['canAdmin', 'canSendEvents', 'canHandleBYOU'])).toBe('Turn off all three');
});

test('in the row of a capability the advice is short, and absent if there is none', () => {
  expect(adviceText(rare('canAdmin', 3))).toBe('Three calls on one day. Use a separate key.');
  expect(adviceText(rare('canAdmin', 1))).toBe('One call on one day. Use a separate key.');
  expect(adviceText({ capability: 'canAdmin', calls: 9, days: [] })).toBeUndefined();
});
