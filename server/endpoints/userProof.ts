import { proofMinutes } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from './route.ts';

/** Refuses an end user who did not sign in or prove the password lately: a phone may lie open on a table. */
export function checkUserProof({ user, now }: Pick<Call, 'user' | 'now'>): void {
  if (now.getTime() - user.provedAt.getTime() > proofMinutes * 60_000) throw new Problem('PROOF_REQUIRED');
}
