import type { Words } from '#console/ui/code/differences.ts';
import { type PasswordPolicy, passwordMaxAgeDefault } from '#contract/project.ts';

/** A policy in its form: numbers as typed. */
export interface PolicyForm {
  enabled: boolean;
  minLength: string;
  mustHaveUppercase: boolean;
  mustHaveLowercase: boolean;
  mustHaveNumber: boolean;
  mustHaveNonAlphanum: boolean;
  expires: boolean;
  maxAge: string;
}

/** A new policy requires length only, as nothing else makes passwords better. */
const minLengthDefault = 12;
export const minLengthRange = { min: 8, max: 128 };
export const maxAgeRange = { min: 1, max: 3650 };

const yesNo = (label: string) => ({ label, say: (on: boolean) => (on ? 'yes' : 'no') });

export const policyWords: Words<PolicyForm> = {
  enabled: 'Password policy',
  minLength: { label: 'Minimum length', say: length => `${length} characters` },
  mustHaveUppercase: yesNo('An uppercase letter'),
  mustHaveLowercase: yesNo('A lowercase letter'),
  mustHaveNumber: yesNo('A digit'),
  mustHaveNonAlphanum: yesNo('Another character'),
  expires: yesNo('Passwords expire'),
  maxAge: { label: 'Passwords expire after', say: days => `${days} days` },
};

export function toPolicyForm(policy: PasswordPolicy | undefined): PolicyForm {
  return {
    enabled: policy !== undefined,
    minLength: String(policy?.minLength ?? minLengthDefault),
    mustHaveUppercase: policy?.mustHaveUppercase ?? false,
    mustHaveLowercase: policy?.mustHaveLowercase ?? false,
    mustHaveNumber: policy?.mustHaveNumber ?? false,
    mustHaveNonAlphanum: policy?.mustHaveNonAlphanum ?? false,
    expires: policy?.maxAge !== undefined,
    maxAge: String(policy?.maxAge ?? passwordMaxAgeDefault),
  };
}

/** Null: only the platform's own rules apply. */
export function toPolicy({
  enabled,
  minLength,
  expires,
  maxAge,
  ...rules
}: PolicyForm): PasswordPolicy | null {
  if (!enabled) return null;
  return { minLength: Number(minLength), ...rules, ...(expires && { maxAge: Number(maxAge) }) };
}

export function checkPolicy({ enabled, minLength, expires, maxAge }: PolicyForm) {
  return {
    ...(enabled && !isWithin(minLength, minLengthRange) && { minLength: 'OUT_OF_RANGE' }),
    ...(enabled && expires && !isWithin(maxAge, maxAgeRange) && { maxAge: 'OUT_OF_RANGE' }),
  };
}

/** Whether the text is a whole number within the range. */
export function isWithin(text: string, { min, max }: { min: number; max: number }): boolean {
  return /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max;
}
