import { expect, test } from 'vitest';
import { numberInRule } from './numberInRule.ts';

test.each([
  ['state.celsius > 21', { property: 'celsius', limit: { value: 21, side: 'above' } }],
  ['state.power.watts <= -2.5', { property: 'power.watts', limit: { value: -2.5, side: 'below' } }],
  ['has(state.celsius) && state.celsius < 6', { property: 'celsius', limit: { value: 6, side: 'below' } }],
  ['state.on && event.data.level > 3', { property: 'on' }],
  ['event.data.level > 3', undefined],
  ['mystate.celsius > 3', undefined],
  [undefined, undefined],
])('the number that the condition %s looks at is found with its limit', (condition, expected) => {
  expect(numberInRule(condition)).toEqual(expected);
});
