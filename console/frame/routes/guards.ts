import { redirect } from '@tanstack/react-router';
import { queryClient, readOptions } from '#console/core/client.ts';
import { presumedOrganizationId, readCurrentOrganization } from '#console/core/organization.ts';
import { orLeave } from '#console/core/routeFailures.ts';
import { currentSession, saveTarget } from '#console/core/session.ts';
import { CallFailed } from '#contract/client.ts';
import { reasons } from '#contract/problem.ts';
import { readProject } from '#contract/project.ts';

/** Without a session, stores the target and redirects to /login; the same for a session of another organization. */
export async function requireLogin({
  location,
  preload,
}: {
  location: { publicHref: string };
  preload: boolean;
}): Promise<void> {
  if (currentSession()) return refuseForeignLogin({ preload });
  if (!preload) saveTarget(location.publicHref);
  throw redirect({ to: '/login', replace: true });
}

/**
 * A session of another organization may not see anything here, so this waits for the organization of the console,
 * unless it was this session's organization the last time. In that case the frame need not wait, and the guards run
 * again after the lookup.
 */
export async function refuseForeignLogin({ preload }: { preload: boolean }): Promise<void> {
  const kept = currentSession();
  if (!kept || kept.developer.orgId === presumedOrganizationId()) return;
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

/** A signed-in developer is sent away from /login, unless the session belongs to another organization. */
export async function requireNoLogin(): Promise<void> {
  const kept = currentSession();
  if (!kept) return;
  const organization = await readCurrentOrganization().catch(() => undefined);
  if (organization?.id === kept.developer.orgId) throw redirect({ to: '/', replace: true });
}

/** /signup redirects to / if the organization is not open to sign-ups. */
export async function requireOpenSignUps(): Promise<void> {
  // The form shows a failed lookup.
  const organization = await readCurrentOrganization().catch(() => undefined);
  if (organization?.openToSignUps === false) throw redirect({ to: '/', replace: true });
}

/** Sign-in methods of users can be set up only if the platform manages their accounts. */
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
