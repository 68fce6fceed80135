import type { unlinkMethod } from '#contract/appApi/me.ts';
import type { Me } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { checkUserProof } from '#server/api/endpoints/userProof.ts';
import { userForApp } from '#server/people/sessions/userForApp.ts';
import { lockUser } from '#server/people/users/userStore.ts';
import { deleteIdentity } from './identityStore.ts';

export async function unlink(call: Call<typeof unlinkMethod>): Promise<Me> {
  const { db, inApp, user, params } = call;
  const { projectId, restrictPasswordLogin } = inApp;
  checkUserProof(call);
  // With this lock, of two methods that are removed at once, one stays.
  const row = await lockUser(db, { projectId, id: user.id });
  const { methods } = await userForApp(db, projectId, user.id);
  if (!methods.some(({ methodId }) => methodId === params.methodId))
    throw new Problem('USER_AUTH_METHOD_NOT_FOUND');
  const hasPassword = typeof row?.passwordHash === 'string' && !restrictPasswordLogin;
  if (methods.length === 1 && !hasPassword) throw new Problem('LAST_WAY_IN');
  await deleteIdentity(db, { projectId, methodId: params.methodId, userId: user.id });
  return userForApp(db, projectId, user.id);
}
