import { redirect } from '@tanstack/react-router';
import { CallFailed } from '#contract/client.ts';
import { banner } from './banner.ts';

type Way = '/login' | '/account' | '/projects' | '/not_found';

/** The screen that each reason leads to. The message shown with it is the reason's own. */
const ways: { [reason in CallFailed['reason']]?: { to: Way; say?: true } } = {
  NO_LOGIN: { to: '/login' },
  ACCOUNT_SUSPENDED: { to: '/login' },
  LOGIN_ORG_MISMATCH: { to: '/login', say: true },
  // The account screen explains it and what to do.
  UNVERIFIED_ACCOUNT: { to: '/account' },
  TWO_FACTOR_REQUIRED: { to: '/account', say: true },
  NOT_A_MEMBER: { to: '/projects', say: true },
  PROJECT_NOT_FOUND: { to: '/not_found' },
  ORG_NOT_FOUND: { to: '/not_found' },
};

/** For any other failure while a screen is loading. */
export const unexpectedError = 'Sorry, we encountered an unexpected error.';

/**
 * The screen that a failed read leads to, after showing the message; undefined if the screen stays and shows the
 * failure itself.
 */
export function wayOut({ reason, message }: CallFailed): Way | undefined {
  const way = ways[reason];
  if (way?.say) banner.set({ text: message, reason });
  return way?.to;
}

/** For loaders: redirects if the failure leads to another screen. Preloading on hover fails silently. */
export async function orLeave<T>(reading: Promise<T>, preload: boolean): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const to = error instanceof CallFailed && !preload ? wayOut(error) : undefined;
    if (to) throw redirect({ to, replace: true });
    throw error;
  }
}
