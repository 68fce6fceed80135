import { expect, it } from 'vitest';
import { PasswordPolicy } from '#contract/project.ts';
import { checkPolicy, isWithin, toPolicy, toPolicyForm } from './passwordPolicy.ts';

it('a policy survives its form unchanged', () => {
  const policy = {
    minLength: 14,
    mustHaveUppercase: true,
    mustHaveLowercase: false,
    mustHaveNumber: true,
    mustHaveNonAlphanum: false,
    maxAge: 30,
  };
  expect(toPolicy(toPolicyForm(policy))).toEqual(policy);
  expect(toPolicy(toPolicyForm(undefined))).toBeNull();
});

it('a new policy requires only length, and expiry starts at 90 days', () => {
  const form = { ...toPolicyForm(undefined), enabled: true };
  const policy = toPolicy(form);
  expect(policy).toEqual({
    minLength: 12,
    mustHaveUppercase: false,
    mustHaveLowercase: false,
    mustHaveNumber: false,
    mustHaveNonAlphanum: false,
  });
  expect(toPolicy({ ...form, expires: true })).toMatchObject({ maxAge: 90 });
  expect(PasswordPolicy.safeParse(policy).success).toBe(true);
});

it.each(['', '7', '129', '12.5', '1e2', ' 12', '-12', '９', '0x10'])(
  '%s is not a valid minimum length',
  minLength => {
    const form = { ...toPolicyForm(undefined), enabled: true, minLength };
    expect(checkPolicy(form)).toEqual({ minLength: 'OUT_OF_RANGE' });
  },
);

it('a bound that is off is not checked', () => {
  expect(checkPolicy({ ...toPolicyForm(undefined), minLength: 'x', maxAge: 'x' })).toEqual({});
  expect(isWithin('3650', { min: 1, max: 3650 })).toBe(true);
});
