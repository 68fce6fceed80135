import { createHash, timingSafeEqual } from 'node:crypto';
import type { finishMethodSignIn, Tokens } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { deviceName as nameOfDevice } from '#server/accounts/identity/deviceName.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { sql } from '#server/infra/db/sql.ts';
import { methodAdded } from '#server/people/mails/accountNotices.ts';
import { isSessionOpen } from '#server/people/sessions/findUserSession.ts';
import { startUserSession } from '#server/people/sessions/startUserSession.ts';
import { lockUser } from '#server/people/users/userStore.ts';
import type { Said } from './returnFromProvider.ts';
import { isUsedUp, type SignIn, signInLife, takeCode } from './signInStore.ts';
import { userBehind } from './userBehind.ts';

type Finishing = Call<typeof finishMethodSignIn>;

interface Taken {
  signIn: SignIn;
  said: Said;
}

/** Uses up the code before anything can fail, because a caller without the verifier has stolen it. */
export async function takeSignIn(call: Finishing): Promise<Taken> {
  const { platform, inApp, body, now } = call;
  const signIn = await takeCode(platform.db, body.code, now);
  const fault = await faultOf(call, signIn);
  if (signIn && fault === undefined)
    return { signIn, said: JSON.parse(platform.sealing.open(signIn.secrets)) as Said };
  // The reason is only in the log, because it would help the caller to guess another code.
  call.about = { orgId: inApp.orgId, ...(fault !== undefined && { fault }) };
  throw new Problem('CODE_WRONG');
}

async function faultOf(call: Finishing, signIn: SignIn | undefined): Promise<string | undefined> {
  const { platform, inApp, params, body, now } = call;
  if (!signIn && (await isUsedUp(platform.db, inApp.projectId, body.code)))
    return 'The code was used before.';
  if (!signIn?.codeAt || signIn.projectId !== inApp.projectId)
    return 'This code does not belong to any sign-in of this project.';
  if (signIn.appId !== inApp.id) return `The code is for app ${signIn.appId}.`;
  if (signIn.methodId !== params.methodId) return `The code is for method ${signIn.methodId}.`;
  if (now.getTime() - signIn.codeAt.getTime() > signInLife.codeS * 1000)
    return `The code is older than ${signInLife.codeS} seconds.`;
  if (!isVerifier(body.codeVerifier, signIn.codeChallenge))
    return 'The code verifier does not match the code challenge of the sign-in (PKCE).';
  return undefined;
}

export async function finishSignIn(call: Finishing, { signIn, said }: Taken): Promise<Tokens> {
  const { db, platform, inApp, body, now, from } = call;
  const { projectId, methodId } = signIn;
  if (inApp.userAccountMode === 'external') throw new Problem('EXTERNAL_ACCOUNTS');
  // Locked, so that its issuer stays as it is until the user is linked to it.
  const method = await db.one<{ trustsEmail: boolean; issuer: string }>(sql`
    select trusts_email as "trustsEmail", issuer from user_auth_methods
    where project_id = ${projectId} and id = ${methodId} for key share`);
  if (method?.issuer !== said.issuer) throw new Problem('CODE_WRONG');
  const { userId, isAdded } = await userBehind(call, { signIn, said, trustsEmail: method.trustsEmail });
  const user = await lockUser(db, { projectId, id: userId });
  if (!user) throw new Problem('CODE_WRONG');
  call.about = { orgId: inApp.orgId, userId, displayName: user.name || (user.email ?? '') };
  if (user.suspended) throw new Problem('USER_SUSPENDED');
  await checkLinking(call, signIn);
  const deviceName = body.deviceName || nameOfDevice(from.userAgent);
  if (isAdded && user.email !== null && user.verifiedAt) {
    const to = { project: { id: projectId, name: inApp.projectName }, name: user.name, email: user.email };
    await methodAdded(db, platform, to, { at: now, address: from.address, device: deviceName });
  }
  return startUserSession(db, platform, { app: inApp, user, deviceName, address: from.address, now });
}

/** A method that was being added in a session is not added once the session has ended. The user must be locked. */
async function checkLinking({ db, now }: Finishing, signIn: SignIn): Promise<void> {
  const { projectId, linkUserId, linkSessionId: sessionId } = signIn;
  if (linkUserId === null) return;
  if (sessionId === null || !(await isSessionOpen(db, { projectId, sessionId, now })))
    throw new Problem('CODE_WRONG');
}

/** PKCE with S256: only the app that began the sign-in knows the verifier. */
function isVerifier(verifier: string, challenge: string): boolean {
  const made = createHash('sha256').update(verifier).digest();
  const asked = Buffer.from(challenge, 'base64url');
  return made.length === asked.length && timingSafeEqual(made, asked);
}
