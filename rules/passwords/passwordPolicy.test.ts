import { expect, it } from 'vitest';
import { brokenRules, type Policy, passwordEnd } from './passwordPolicy.ts';

const none: Policy = {
  minLength: 8,
  mustHaveUppercase: false,
  mustHaveLowercase: false,
  mustHaveNumber: false,
  mustHaveNonAlphanum: false,
};
const all: Policy = {
  minLength: 10,
  mustHaveUppercase: true,
  mustHaveLowercase: true,
  mustHaveNumber: true,
  mustHaveNonAlphanum: true,
};

it.each<[why: string, policy: Policy | undefined, password: string, ...broken: string[]]>([
  ['eight characters without a policy', undefined, 'aaaaaaab'],
  ['seven are too few for anybody', { ...none, minLength: 1 }, 'aaaaaab', 'minLength'],
  ['a sign beyond the basic ones is one character', none, '👋👋👋👋👋👋👋', 'minLength'],
  ['more than 256 are too many', undefined, 'a'.repeat(257), 'maxLength'],
  ['everything in it', all, 'Straße 7 mit'],
  ['letters of other scripts have a case as well', all, 'Ώθηση-1234'],
  [
    'nothing of what is asked for',
    all,
    '家家家',
    'minLength',
    'mustHaveUppercase',
    'mustHaveLowercase',
    'mustHaveNumber',
    'mustHaveNonAlphanum',
  ],
  ['full-width digits are digits', { ...none, mustHaveNumber: true }, 'aaaaaaa１'],
  [
    'an accent is no special character',
    { ...none, mustHaveNonAlphanum: true },
    'éééééééé',
    'mustHaveNonAlphanum',
  ],
])('%s', (_, policy, password, ...broken) => {
  expect(brokenRules(policy, password)).toEqual(broken);
});

it('a password expires after the maximum age, or never', () => {
  const setAt = new Date('2026-01-01T00:00:00Z');
  expect(passwordEnd({ ...none, maxAge: 90 }, setAt)?.toISOString()).toBe('2026-04-01T00:00:00.000Z');
  expect(passwordEnd(none, setAt)).toBeUndefined();
});
