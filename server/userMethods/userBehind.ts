import type { finishMethodSignIn } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { nameMax } from '#contract/shapes.ts';
import { language } from '#contract/user.ts';
import { normalEmail } from '#server/accounts/email.ts';
import type { Call } from '#server/endpoints/route.ts';
import { insertUser, lockUserByEmail, replaceUnverified } from '#server/users/userStore.ts';
import { type Identity, insertIdentity, lockIdentity } from './identityStore.ts';
import type { Said } from './returnFromProvider.ts';
import type { SignIn } from './signInStore.ts';

interface Behind {
  signIn: SignIn;
  said: Said;
  /** True: an address that the provider calls verified counts as proven. */
  trustsEmail: boolean;
}

/**
 * The user who signed in at a provider: known by the identity there, else the one to whose account it is to be added, else
 * the one whose proven e-mail address it is, else a new one. `isAdded`: the account was there before.
 */
export async function userBehind(
  call: Call<typeof finishMethodSignIn>,
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
  const found = linkUserId ? { userId: linkUserId, isAdded: true } : await userOf(call, said, trustsEmail);
  if (!(await insertIdentity(db, identity, { userId: found.userId, now })))
    throw new Problem('METHOD_LINKED');
  return found;
}

/**
 * An address that was never proven here may have been registered by anybody: its account is not joined with, but begun
 * anew, without the password somebody set.
 */
async function userOf(
  call: Call<typeof finishMethodSignIn>,
  said: Said,
  trustsEmail: boolean,
): Promise<{ userId: string; isAdded: boolean }> {
  const { db, platform, inApp, now } = call;
  const { projectId } = inApp;
  const email = trustsEmail && said.email !== undefined ? normalEmail(said.email) : undefined;
  const profile = { name: nameOf(said), language: languageOf(said) };
  const owner = email === undefined ? undefined : await lockUserByEmail(db, projectId, email);
  if (owner?.verifiedAt) return { userId: owner.id, isAdded: true };
  if (owner) {
    await replaceUnverified(db, owner, { ...profile, now });
    return { userId: owner.id, isAdded: false };
  }
  if (inApp.restrictUserReg) throw new Problem('REGISTRATION_RESTRICTED');
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
