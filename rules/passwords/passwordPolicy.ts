import { dayMs } from '#rules/time/durations.ts';
export interface Policy {
  minLength: number;
  mustHaveUppercase: boolean;
  mustHaveLowercase: boolean;
  mustHaveNumber: boolean;
  mustHaveNonAlphanum: boolean;
  /** In days. */
  maxAge?: number | undefined;
}

/** The platform's own rules, which apply in addition to those of a project. */
const length = { min: 8, max: 256 };

export type PolicyRule = Exclude<keyof Policy, 'maxAge'> | 'maxLength';

/** The rules that a new password breaks; characters are counted after NFKC, as passwords are compared. */
export function brokenRules(policy: Policy | undefined, password: string): PolicyRule[] {
  const text = password.normalize('NFKC');
  const count = [...text].length;
  const broken: PolicyRule[] = [];
  if (count < Math.max(length.min, policy?.minLength ?? 0)) broken.push('minLength');
  if (count > length.max) broken.push('maxLength');
  if (policy?.mustHaveUppercase && !/\p{Lu}/u.test(text)) broken.push('mustHaveUppercase');
  if (policy?.mustHaveLowercase && !/\p{Ll}/u.test(text)) broken.push('mustHaveLowercase');
  if (policy?.mustHaveNumber && !/\p{Nd}/u.test(text)) broken.push('mustHaveNumber');
  if (policy?.mustHaveNonAlphanum && !/[^\p{L}\p{M}\p{N}]/u.test(text)) broken.push('mustHaveNonAlphanum');
  return broken;
}

/** When a password must be changed; undefined: never. */
export function passwordEnd(policy: Policy | undefined, setAt: Date): Date | undefined {
  return policy?.maxAge === undefined ? undefined : new Date(setAt.getTime() + policy.maxAge * dayMs);
}
