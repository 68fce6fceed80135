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
  /** True if an address that the provider calls verified counts as verified here. */
  trustsEmail: boolean;
}

/**
 * The user who signed in at a provider: found by identity; else the user who is adding the method; else the user with
 * the same verified e-mail address; else a new user. `isAdded`: the account already existed.
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
 * Anyone may have registered an unverified address: such an account is not joined, but reset, without the password that
 * was set.
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
