import type { CallFailed } from '#contract/client.ts';

/** INVALID_LINK stands for a missing token and for every other error. */
export type VerifyState = 'PENDING' | 'SUCCESS' | 'ALREADY_VERIFIED' | 'INVALID_LINK';

const titles: Record<VerifyState, string> = {
  PENDING: 'Verifying your e-mail…',
  SUCCESS: 'Your e-mail is verified',
  ALREADY_VERIFIED: 'Already verified',
  INVALID_LINK: 'This link does not work',
};

/** The title agrees with the reason below it: a server that does not answer does not mean that the link is broken. */
export function titleOf(state: VerifyState, reason: CallFailed['reason'] | undefined): string {
  if (state !== 'INVALID_LINK' || reason === undefined || reason === 'INVALID_LINK') return titles[state];
  return 'Your e-mail could not be verified';
}
