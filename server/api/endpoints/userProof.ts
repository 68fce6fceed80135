import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { proofMinutes } from '#rules/time/lifetimes.ts';
import type { Call } from './route.ts';

/** Rejects end users who have not signed in or proved the password recently: someone else may have their phone. */
export function checkUserProof({ user, now }: Pick<Call, 'user' | 'now'>): void {
  if (now.getTime() - user.provedAt.getTime() > proofMinutes * minuteMs) throw new Problem('PROOF_REQUIRED');
}
