import type { Developer } from '#contract/account.ts';

/** The state of two-factor authentication for this account, and what it means if the organization requires it. */
export function twoFactorText({ auth2FActivated, auth2FRequired }: Developer): string {
  if (!auth2FActivated)
    return auth2FRequired
      ? 'Your organization requires it: you cannot open a project until it is on.'
      : 'Protects you if your password is stolen.';
  const does = 'Signing in requires your password and a code from your authenticator app.';
  return auth2FRequired ? `${does} Your organization requires it.` : does;
}
