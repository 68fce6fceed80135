import { Problem } from '#contract/problem.ts';
import type { bringUser } from '#contract/service.ts';
import type { User } from '#contract/user.ts';
import { normalEmail } from '#server/accounts/email.ts';
import { refuseStale } from '#server/endpoints/ifMatch.ts';
import type { Call } from '#server/endpoints/route.ts';
import { tellUserSessions } from '#server/userSessions/userNotices.ts';
import { findExternalUser, setExternalId, setExternalUser } from '#server/users/externalUsers.ts';
import { findUser } from '#server/users/user.ts';
import { dropUnverified, insertUser, lockUserByEmail, replaceUnverified } from '#server/users/userStore.ts';

type BringCall = Call<typeof bringUser>;

/** Creates the user whom the back end knows by this id, or gives the one there is what the call brings. */
export async function bring(call: BringCall): Promise<User> {
  const { db, params, now } = call;
  const { projectId, externalId } = params;
  const id = (await update(call)) ?? (await create(call)) ?? (await update(call));
  // It was not there, and could not be created: the address is another user's.
  if (id === undefined) throw new Problem('EMAIL_TAKEN', { fields: { email: 'EMAIL_TAKEN' } });
  const user = await findUser(db, { projectId, id, now });
  if (user?.externalId !== externalId) throw new Problem('USER_NOT_FOUND');
  return user;
}

/** The id of the user, if there is one. */
async function update(call: BringCall): Promise<string | undefined> {
  const { db, platform, params, body, now } = call;
  const { projectId, externalId } = params;
  const known = await findExternalUser(db, projectId, externalId);
  if (!known) return undefined;
  refuseStale(call, known);
  const { id } = known;
  const email = emailOf(body);
  if (email && email !== known.email) await dropUnverified(db, projectId, email);
  await setExternalUser(db, { projectId, id }, { ...body, email, now });
  call.whenKept(() => tellUserSessions(platform, projectId, id));
  return id;
}

/** Undefined: somebody else has the address, or another call has just created the user. */
async function create({ db, platform, params, body, now }: BringCall): Promise<string | undefined> {
  const { projectId, externalId } = params;
  const email = emailOf(body) ?? undefined;
  const { name = '' } = body;
  const language = body.language ?? undefined;
  const id = platform.newId('usr');
  const given = { id, projectId, externalId, email, name, language, isVerified: true, now };
  if (await insertUser(db, given)) return id;
  const other = email === undefined ? undefined : await lockUserByEmail(db, projectId, email);
  // Whoever typed an address in without proving it must not keep its owner out.
  if (!other || other.verifiedAt) return undefined;
  await replaceUnverified(db, other, { name, language, now });
  await setExternalId(db, other, externalId);
  return other.id;
}

function emailOf({ email }: BringCall['body']): string | null | undefined {
  return typeof email === 'string' ? normalEmail(email) : email;
}
