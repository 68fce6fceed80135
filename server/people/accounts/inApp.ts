import type { Call } from '#server/api/endpoints/route.ts';
import type { UserRecord } from '#server/people/users/userStore.ts';
import type { Acting } from './accountActs.ts';

/** The context of an action in a call of the app API. */
export function actingIn(
  call: Pick<Call, 'db' | 'platform' | 'inApp' | 'from' | 'now' | 'afterCommit'>,
): Acting {
  const { db, platform, inApp, from, now, afterCommit } = call;
  const project = { id: inApp.projectId, name: inApp.projectName };
  return { db, platform, project, address: from.address, now, afterCommit };
}

/** The user to name in the log of a call without a session. */
export function aboutUser({ inApp }: Pick<Call, 'inApp'>, user: UserRecord): NonNullable<Call['about']> {
  const { id: userId, name, email } = user;
  return {
    orgId: inApp.orgId,
    userId,
    displayName: name || (email ?? ''),
    ...(email !== null && { fields: { email } }),
  };
}
