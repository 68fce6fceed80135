import { redirect } from '@tanstack/react-router';
import { queryClient, readOptions } from '#console/api.ts';
import { presumedOrganizationId, readCurrentOrganization } from '#console/organization.ts';
import { orLeave } from '#console/routeFailures.ts';
import { isValid, saveTarget, session } from '#console/session.ts';
import { CallFailed } from '#contract/client.ts';
import { reasons } from '#contract/problem.ts';
import { readProject } from '#contract/project.ts';

/** Not logged in saves the target and goes to /login; so does a login of another organization. */
export async function requireLogin({
  location,
  preload,
}: {
  location: { publicHref: string };
  preload: boolean;
}): Promise<void> {
  if (isValid(session.get())) return refuseForeignLogin({ preload });
  if (!preload) saveTarget(location.publicHref);
  throw redirect({ to: '/login', replace: true });
}

/**
 * A session of another organization shows nothing here: whose console this is, is waited for, unless it was this
 * session's the last time. Then the frame need not wait, and the guards judge again once it is looked up.
 */
export async function refuseForeignLogin({ preload }: { preload: boolean }): Promise<void> {
  const kept = session.get();
  if (!isValid(kept) || kept.developer.orgId === presumedOrganizationId()) return;
  await orLeave(
    readCurrentOrganization().then(({ id }) => {
      if (kept.developer.orgId !== id) throw mismatch();
    }),
    preload,
  );
}

function mismatch(): CallFailed {
  const [status, message] = reasons.LOGIN_ORG_MISMATCH;
  return new CallFailed({ reason: 'LOGIN_ORG_MISMATCH', message }, { status });
}

/** Who is signed in has nothing to do at /login, unless the login is another organization's. */
export async function requireNoLogin(): Promise<void> {
  const kept = session.get();
  if (!isValid(kept)) return;
  const organization = await readCurrentOrganization().catch(() => undefined);
  if (organization?.id === kept.developer.orgId) throw redirect({ to: '/', replace: true });
}

/** /signup redirects to / if the organization is not open to sign-ups. */
export async function requireOpenSignUps(): Promise<void> {
  // A failed look-up is for the form to show.
  const organization = await readCurrentOrganization().catch(() => undefined);
  if (organization?.openToSignUps === false) throw redirect({ to: '/', replace: true });
}

/** How users sign in is set here only where the platform keeps their accounts. */
export async function requireOwnAccounts({
  params,
  preload,
}: {
  params: { projectId: string };
  preload: boolean;
}): Promise<void> {
  const reading = queryClient.ensureQueryData(readOptions(readProject, { params }));
  const { userAccountMode } = await orLeave(reading, preload);
  if (userAccountMode !== 'email')
    throw redirect({ to: '/projects/$projectId/settings', params, replace: true });
}
