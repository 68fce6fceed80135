import type { startMethodSignIn } from '#contract/appApi/session.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/endpoints/route.ts';
import { checkUserProof } from '#server/endpoints/userProof.ts';
import { findClient } from '#server/userAuthMethods/store.ts';
import { mustLast } from '#server/userSessions/findUserSession.ts';
import { lockUser } from '#server/users/userStore.ts';
import { insertSignIn, signInLife } from './signInStore.ts';

type Starting = Call<typeof startMethodSignIn>;

/** Asks the provider where to send the browser; before any transaction, since it may take its time. */
export async function prepareSignIn(call: Starting) {
  const { platform, inApp, params, body } = call;
  if (inApp.userAccountMode === 'external') throw new Problem('EXTERNAL_ACCOUNTS');
  // Exactly: a prefix or a pattern would let a code go to a page that is not the app's.
  if (!inApp.redirects.includes(body.redirectUri)) throw new Problem('REDIRECT_UNKNOWN');
  if (body.link) checkUserProof(call);
  const client = await findClient(platform.db, inApp.projectId, params.methodId);
  if (!client) throw new Problem('USER_AUTH_METHOD_NOT_FOUND');
  const { beginSignIn } = await import('#server/userAuthMethods/signIn.ts');
  return beginSignIn(platform, client);
}

/** While the provider was asked, the password may have been set anew, which ends the session and what it had begun to link. */
async function lockLinking({ db, inApp: { projectId }, user, now }: Starting): Promise<void> {
  await lockUser(db, { projectId, id: user.id });
  await mustLast(db, { projectId, sessionId: user.sessionId, now });
}

export async function startSignIn(
  call: Starting,
  { url, state, secrets }: Awaited<ReturnType<typeof prepareSignIn>>,
): Promise<AnswerOf<typeof startMethodSignIn>> {
  const { db, platform, inApp, params, body, now } = call;
  if (body.link) await lockLinking(call);
  await insertSignIn(db, {
    ...{ id: platform.newId('sin'), projectId: inApp.projectId, methodId: params.methodId, appId: inApp.id },
    ...{ redirectUri: body.redirectUri, appState: body.state ?? null, codeChallenge: body.codeChallenge },
    ...{ linkUserId: body.link ? call.user.id : null, state, now },
    secrets: platform.sealing.seal(JSON.stringify(secrets)),
  });
  const expiresAt = new Date(now.getTime() + signInLife.providerS * 1000).toISOString();
  return { signInUrl: url, expiresAt };
}
