import type { startMethodSignIn } from '#contract/appApi/session.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { checkUserProof } from '#server/api/endpoints/userProof.ts';
import { mustLast } from '#server/people/sessions/findUserSession.ts';
import { findClient } from '#server/people/userAuthMethods/store.ts';
import { lockUser } from '#server/people/users/userStore.ts';
import { insertSignIn, signInLife } from './signInStore.ts';

type Starting = Call<typeof startMethodSignIn>;

/** Gets the URL of the provider to send the browser to. Before the transaction, because it may take long. */
export async function prepareSignIn(call: Starting) {
  const { platform, inApp, params, body } = call;
  if (inApp.userAccountMode === 'external') throw new Problem('EXTERNAL_ACCOUNTS');
  // An exact match: with prefixes or patterns, a code could be sent to a page that does not belong to the app.
  if (!inApp.redirects.includes(body.redirectUri)) throw new Problem('REDIRECT_UNKNOWN');
  if (body.link) checkUserProof(call);
  const client = await findClient(platform.db, inApp.projectId, params.methodId);
  if (!client) throw new Problem('USER_AUTH_METHOD_NOT_FOUND');
  const { beginSignIn } = await import('#server/people/userAuthMethods/signIn.ts');
  return beginSignIn(platform, client);
}

/**
 * Checks the session again: meanwhile the password may have been replaced, which ends the session and discards methods
 * that are being added.
 */
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
    id: platform.newId('sin'),
    projectId: inApp.projectId,
    methodId: params.methodId,
    appId: inApp.id,
    redirectUri: body.redirectUri,
    appState: body.state ?? null,
    codeChallenge: body.codeChallenge,
    linkUserId: body.link ? call.user.id : null,
    linkSessionId: body.link ? call.user.sessionId : null,
    state,
    now,
    secrets: platform.sealing.seal(JSON.stringify(secrets)),
  });
  const expiresAt = new Date(now.getTime() + signInLife.providerS * 1000).toISOString();
  return { signInUrl: url, expiresAt };
}
