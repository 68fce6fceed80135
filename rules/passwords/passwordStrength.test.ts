import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fastest } from '#test/fastest.ts';
import { passwordLevel, passwordStrength } from './passwordStrength.ts';

const levelOf = (password: string) => passwordLevel(passwordStrength(password));

describe('the levels match the specification', () => {
  test.each([
    [-1, 'none'],
    [0, 'low'],
    [19, 'low'],
    [20, 'medium'],
    [34, 'medium'],
    [35, 'high'],
    [500, 'high'],
  ] as const)('%i is %s', (score, level) => expect(passwordLevel(score)).toBe(level));
});

describe('a password is rated by the number of guesses it takes', () => {
  test.each([
    ['', 'none'],
    ['a', 'low'],
    ['password', 'low'],
    ['P4ssw0rd!', 'low'],
    ['qwertyuiop', 'low'],
    ['aaaaaaaaaaaaaaaaaaaa', 'low'],
    ['abcabcabcabcabcabc', 'low'],
    ['1234567890123456', 'low'],
    ['abcdefghijklmnop', 'low'],
    ['Summer2024', 'low'],
    ['k7#Rw!2z', 'medium'],
    ['G5&tmQ9x', 'medium'],
    ['kv8wzn3hxt', 'medium'],
    ['m7#Rw!2zPq8v', 'high'],
    ['correct horse battery staple', 'high'],
    ['ветер над тихой гаванью', 'high'],
    ['安全なパスワードを選ぶ', 'high'],
  ] as const)('%s is %s', (password, level) => expect(levelOf(password)).toBe(level));

  test('repeating a password at most doubles its score, and every password has a score', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40 }), password => {
        expect(passwordStrength(password)).toBeGreaterThanOrEqual(0);
        expect(passwordStrength(password + password)).toBeLessThanOrEqual(passwordStrength(password) * 2 + 1);
      }),
    );
  });

  test('a thousand characters are rated quickly', () => {
    for (const long of ['aB3$'.repeat(250), 'x'.repeat(1024)])
      expect(fastest(() => passwordStrength(long))).toBeLessThan(100);
  });
});
