import { expect, it } from 'vitest';
import { missingIn } from './missing.ts';
import type { Sentence } from './sentence.ts';
import { sentenceText } from './words.ts';

const frost: Sentence = {
  classes: ['thermostat'],
  starts: { events: ['_state_'] },
  join: 'and',
  tests: [{ left: 'state.temperature', op: 'below', value: { number: '6.0' } }],
};
const none = { count: 0, unfit: new Set<number>() };
const one = { count: 1, unfit: new Set<number>() };

it.each([
  ['what starts it', { ...frost, starts: { events: [] } }, none, 'start', 'Choose what starts it'],
  ['what is compared', { ...frost, tests: [{}] }, none, 'left0', 'Choose what to compare'],
  [
    'its value',
    { ...frost, tests: [...frost.tests, { left: 'state.mode', op: 'is' as const }] },
    none,
    'value1',
    'Enter what mode is compared with',
  ],
  ['what it does', frost, none, 'addAction', 'Choose what it does'],
  ['the rest of an action', frost, { count: 3, unfit: new Set([2, 1]) }, 'action1', 'Complete what it does'],
])('a sentence asks for %s', (_, sentence, actions, slot, says) => {
  expect(missingIn(sentence, actions)).toEqual({ slot, says });
});

it('a complete sentence asks for nothing, and is read as a person would say it', () => {
  expect(missingIn(frost, one)).toBeUndefined();
  const said = { names: undefined, forS: 300, actions: ['set target to 8', 'raise a warning'] };
  expect(sentenceText(frost, said)).toBe(
    'When a thermostat reports state and temperature is below 6.0 for 5 min, then set target to 8 and raise a warning.',
  );
});
