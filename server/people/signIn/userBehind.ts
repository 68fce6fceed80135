import type { finishMethodSignIn } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { nameMax } from '#contract/shapes.ts';
import { language } from '#contract/user.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { isInvitedToHome, openInvitation } from '#server/people/invitations/openInvitation.ts';
import { dropCodes, takeCode } from '#server/people/mails/userCodes.ts';
import {
  insertUser,
  lockUser,
  lockUserByEmail,
  markVerified,
  replaceUnverified,
} from '#server/people/users/userStore.ts';
import { type Identity, insertIdentity, lockIdentity } from './identityStore.ts';
import type { Said } from './returnFromProvider.ts';
import type { SignIn } from './signInStore.ts';

type Finishing = Call<typeof finishMethodSignIn>;

interface Behind {
  signIn: SignIn;
  said: Said;
  /** True if an address that the provider calls verified counts as verified here. */
  trustsEmail: boolean;
}

/**
 * The user who signed in at a provider: found by identity; else the user who is adding the method; else the account that
 * an invitation was sent for; else the user with the same verified e-mail address; else a new user. `isAdded`: the
 * account already existed.
 */
export async function userBehind(
  call: Finishing,
  { signIn, said, trustsEmail }: Behind,
): Promise<{ userId: string; isAdded: boolean }> {
  const { db, now } = call;
  const { projectId, methodId, linkUserId } = signIn;
  const identity: Identity = { projectId, methodId, issuer: said.issuer, sub: said.sub };
  const known = await lockIdentity(db, identity);
  if (known !== undefined) {
    if (linkUserId !== null && linkUserId !== known) throw new Problem('METHOD_LINKED');
    return { userId: known, isAdded: false };
  }
  const found = linkUserId
    ? { userId: linkUserId, isAdded: true }
    : await firstSignIn(call, { said, trustsEmail });
  if (!(await insertIdentity(db, identity, { userId: found.userId, now })))
    throw new Problem('METHOD_LINKED');
  return found;
}

async function firstSignIn(call: Finishing, given: Omit<Behind, 'signIn'>) {
  const { invitation } = call.body;
  if (invitation === undefined) return userOf(call, given, false);
  // It may still be valid for joining the home, so it must not appear in the log.
  call.body = { ...call.body, invitation: '•••' };
  const account = await takeInvited(call, invitation);
  if (account !== undefined) return { userId: account, isAdded: false };
  const { projectId } = call.inApp;
  if (!(await openInvitation(call.db, { projectId, token: invitation, now: call.now })))
    throw new Problem('INVALID_LINK');
  return userOf(call, given, true);
}

/** Uses up the invitation to an account, which only its owner can read, and returns the user. */
async function takeInvited({ db, inApp, now }: Finishing, token: string): Promise<string | undefined> {
  const { projectId } = inApp;
  const used = await takeCode(db, { projectId, hash: hashToken(token), purposes: ['invite'], now });
  if (!used) return undefined;
  const user = await lockUser(db, { projectId, id: used.userId });
  if (user?.email !== used.email) throw new Problem('INVALID_LINK');
  await markVerified(db, user, now);
  await dropCodes(db, { projectId, userId: user.id }, ['verification']);
  return user.id;
}

/**
 * Anyone may have registered an unverified address: such an account is not joined, but reset, without the password that
 * was set.
 */
async function userOf(
  call: Finishing,
  { said, trustsEmail }: Omit<Behind, 'signIn'>,
  isInvited: boolean,
): Promise<{ userId: string; isAdded: boolean }> {
  const { db, platform, inApp, now } = call;
  const { projectId } = inApp;
  const email = trustsEmail && said.email !== undefined ? normalEmail(said.email) : undefined;
  const profile = { name: nameOf(said), language: languageOf(said) };
  const owner = email === undefined ? undefined : await lockUserByEmail(db, projectId, email);
  if (owner?.verifiedAt) return { userId: owner.id, isAdded: true };
  if (owner) {
    await replaceUnverified(db, owner, { ...profile, now });
    await dropCodes(db, { projectId, userId: owner.id }, ['verification', 'invite']);
    return { userId: owner.id, isAdded: false };
  }
  const mayRegister =
    !inApp.restrictUserReg ||
    isInvited ||
    (email !== undefined && (await isInvitedToHome(db, { projectId, email, now })));
  if (!mayRegister) throw new Problem('REGISTRATION_RESTRICTED');
  const id = platform.newId('usr');
  const isVerified = email !== undefined;
  const user = { id, projectId, email, ...profile, isVerified, createdIn: inApp.id, now };
  if (!(await insertUser(db, user))) throw new Problem('EMAIL_TAKEN');
  return { userId: id, isAdded: false };
}

function nameOf({ name = '' }: Said): string {
  return name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, nameMax);
}

function languageOf(said: Said): string | undefined {
  return language.safeParse(said.language).data;
}
