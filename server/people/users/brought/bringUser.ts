import { Problem } from '#contract/problem.ts';
import type { bringUser } from '#contract/service.ts';
import type { User } from '#contract/user.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { refuseStale } from '#server/api/endpoints/ifMatch.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { dropCodes } from '#server/people/mails/userCodes.ts';
import { publishUserSessions } from '#server/people/sessions/userNotices.ts';
import { findExternalUser, setExternalId, setExternalUser } from '#server/people/users/externalUsers.ts';
import { findUser } from '#server/people/users/user.ts';
import {
  dropUnverified,
  insertUser,
  lockUserByEmail,
  replaceUnverified,
} from '#server/people/users/userStore.ts';

type BringCall = Call<typeof bringUser>;

/** Creates the user with this id of the back end, or updates the existing one. */
export async function bring(call: BringCall): Promise<User> {
  const { db, params, now } = call;
  const { projectId, externalId } = params;
  const id = (await update(call)) ?? (await create(call)) ?? (await update(call));
  // The user does not exist and could not be created: the address belongs to another user.
  if (id === undefined) throw new Problem('EMAIL_TAKEN', { fields: { email: 'EMAIL_TAKEN' } });
  const user = await findUser(db, { projectId, id, now });
  if (user?.externalId !== externalId) throw new Problem('USER_NOT_FOUND');
  return user;
}

/** Returns the id of the user, if it exists. */
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
  call.afterCommit(() => publishUserSessions(platform, projectId, id));
  return id;
}

/** Undefined: another user has the address, or another call has just created the user. */
async function create({ db, platform, params, body, now }: BringCall): Promise<string | undefined> {
  const { projectId, externalId } = params;
  const email = emailOf(body) ?? undefined;
  const { name = '' } = body;
  const language = body.language ?? undefined;
  const id = platform.newId('usr');
  const given = { id, projectId, externalId, email, name, language, isVerified: true, now };
  if (await insertUser(db, given)) return id;
  const other = email === undefined ? undefined : await lockUserByEmail(db, projectId, email);
  // An account whose address was never verified must not keep the owner of the address out.
  if (!other || other.verifiedAt) return undefined;
  await replaceUnverified(db, other, { name, language, now });
  await dropCodes(db, { projectId, userId: other.id }, ['verification', 'invite']);
  await setExternalId(db, other, externalId);
  return other.id;
}

function emailOf({ email }: BringCall['body']): string | null | undefined {
  return typeof email === 'string' ? normalEmail(email) : email;
}
