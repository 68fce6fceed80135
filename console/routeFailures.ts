import { redirect } from '@tanstack/react-router';
import { CallFailed } from '#contract/client.ts';
import { banner } from './banner.ts';

type Way = '/login' | '/account' | '/projects' | '/not_found';

/** Where each leads. The sentence that goes along is the reason's own. */
const ways: { [reason in CallFailed['reason']]?: { to: Way; say?: true } } = {
  NO_LOGIN: { to: '/login' },
  ACCOUNT_SUSPENDED: { to: '/login' },
  LOGIN_ORG_MISMATCH: { to: '/login', say: true },
  // The account says it by itself, with the way out.
  UNVERIFIED_ACCOUNT: { to: '/account' },
  TWO_FACTOR_REQUIRED: { to: '/account', say: true },
  NOT_A_MEMBER: { to: '/projects', say: true },
  PROJECT_NOT_FOUND: { to: '/not_found' },
  ORG_NOT_FOUND: { to: '/not_found' },
};

/** For any other failure on the way to a screen. */
export const unexpectedError = 'Sorry, we encountered an unexpected error.';

/** Where a failed read leads, its sentence put up; undefined when the screen stays and shows the failure itself. */
export function wayOut({ reason, message }: CallFailed): Way | undefined {
  const way = ways[reason];
  if (way?.say) banner.set({ text: message, reason });
  return way?.to;
}

/** For loaders: goes where the failure leads. A link that is only hovered fails quietly. */
export async function orLeave<T>(reading: Promise<T>, preload: boolean): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const to = error instanceof CallFailed && !preload ? wayOut(error) : undefined;
    if (to) throw redirect({ to, replace: true });
    throw error;
  }
}
