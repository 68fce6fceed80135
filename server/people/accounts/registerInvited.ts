import { alreadyRegistered } from '#server/people/mails/accountNotices.ts';
import {
  insertUser,
  lockUserByEmail,
  markVerified,
  setProfile,
  setUserPassword,
  type UserRecord,
} from '#server/people/users/userStore.ts';
import type { Acting } from './accountActs.ts';

interface Invited {
  /** The address that the invitation was sent to, which proves it. */
  email: string;
  name?: string | undefined;
  language?: string | undefined;
  passwordHash: string;
  createdIn?: string | undefined;
}

/**
 * Creates the account of a person who was invited to a home. An existing unverified account becomes theirs; a verified
 * account stays as it is, and its owner is notified.
 */
export async function registerInvited(
  acting: Acting,
  { email, name, language, passwordHash, createdIn }: Invited,
): Promise<UserRecord> {
  const { db, platform, project, now, address } = acting;
  const projectId = project.id;
  const given = { id: platform.newId('usr'), projectId, email, name, language, passwordHash, createdIn };
  const isNew = await insertUser(db, { ...given, isVerified: true, now });
  const user = await lockUserByEmail(db, projectId, email);
  if (!user) throw new Error('A user who registered is not there.');
  if (isNew) return user;
  if (user.verifiedAt !== null || user.suspended) {
    await alreadyRegistered(db, platform, { project, name: user.name, email }, { at: now, address });
    return user;
  }
  await setUserPassword(db, user, { passwordHash, now });
  await setProfile(db, user, { name, language });
  await markVerified(db, user, now);
  return user;
}
