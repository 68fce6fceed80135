import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fill, wouldDo } from '#server/modules/actions/fillActions.ts';
import { createChecker } from '#server/modules/expressions/checkExpression.ts';
import { createEvaluation } from '#server/modules/expressions/evaluate.ts';
import type { Given } from '#server/modules/expressions/given.ts';
import { RuleConfig } from './ruleConfig.ts';

const text = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
const recipes = [...text.matchAll(/^### (.+?)\n[^#]*?```json\n(.+?)```/gms)];

/** Inputs for which each recipe is true, in the order of the page, and what its first action would then do. */
const cases: readonly [more: Partial<Given>, would: string][] = [
  [
    { state: { temperature: 31 } },
    'Would e-mail “Hall is too hot” to the owners and developers of the project',
  ],
  [{ state: { battery: 19 } }, 'Would raise “Battery at 19 %”'],
  [{ state: { temperature: 17.5 } }, 'Would set {"heating":true}'],
  [{ state: { temperature: 22 } }, 'Would set {"heating":false}'],
  [{ event: eventOf('pressed', { times: 3 }) }, 'Would send flash {"times":3}'],
  [{ device: deviceOf(false) }, 'Would raise “Disconnected for ten minutes”'],
  [{ figures: { 'mean power 15': 2100.5 } }, 'Would raise “2100.5 W on average for 15 minutes”'],
  [{ event: eventOf('_state_', { motion: true }) }, 'Would send lightOn {}'],
  [
    { state: { temperature: 9 }, data: { limits: { 'hall-7': { max: 8 } } } },
    'Would raise “Above its limit of 8 °C”',
  ],
  [{ state: { zones: [20, 91] } }, 'Would call https://example.com/hooks/zones'],
];

function eventOf(name: string, payload: never | object): Given['event'] {
  return { id: 'evt_1', name, ts: '2026-11-22T03:00:00.000Z', deviceId: 'dev_1', payload: payload as never };
}

function deviceOf(connected: boolean): Given['device'] {
  return { id: 'dev_1', tag: 'hall-7', name: 'Hall', class: 'sensor', connected, connectedFor: 0, home: '' };
}

const nothing: Given = {
  event: eventOf('other', {}),
  device: deviceOf(true),
  state: {},
  data: {},
  figures: {},
};
const checker = createChecker({ state: 'map', payload: 'map', data: ['limits'] });
const evaluate = createEvaluation();

it('there are ten recipes', () => {
  expect(recipes).toHaveLength(10);
});

it.each(recipes.map(([, title = '', json = ''], at) => [title, json, at] as const))('%s', (_, json, at) => {
  const { condition, actions } = RuleConfig.parse(JSON.parse(json));
  const [more, would] = cases[at] ?? [{}, ''];
  const given = { ...nothing, ...more };
  expect(checker.check(condition, 'condition').faults).toEqual([]);
  expect(evaluate({ program: condition, given })).toEqual({ value: true });
  expect(evaluate({ program: condition, given: { ...nothing } })).not.toEqual({ value: true });
  const [action] = actions;
  expect(action && wouldDo(fill(action, program => evaluate({ program, given })))).toBe(would);
});
