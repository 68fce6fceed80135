import { Problem } from '#contract/problem.ts';
import type { PasswordPolicy } from '#contract/project.ts';
import { passwordMin } from '#rules/passwords/passwordLength.ts';

/** The rules for a password, in sentences. */
export function passwordRules(policy: PasswordPolicy | undefined): string[] {
  const parts = [
    policy?.mustHaveUppercase && 'an upper-case letter',
    policy?.mustHaveLowercase && 'a lower-case letter',
    policy?.mustHaveNumber && 'a digit',
    policy?.mustHaveNonAlphanum && 'a character that is neither letter nor digit',
  ].filter(part => typeof part === 'string');
  const length = `At least ${Math.max(passwordMin, policy?.minLength ?? 0)} characters`;
  return [parts.length === 0 ? `${length}.` : `${length}, with ${listed(parts)}.`];
}

const listed = (parts: string[]) => new Intl.ListFormat('en').format(parts);

/** Why a password was refused; undefined if the error has another reason. */
export function passwordFault(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.reason === 'PASSWORD_POLICY') return 'The password does not meet the rules above.';
  return error.reason === 'WEAK_PASSWORD' ? error.message : undefined;
}
