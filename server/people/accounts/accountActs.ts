import { Problem } from '#contract/problem.ts';
import { forgiveAccount } from '#server/accounts/identity/throttle.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { emailChanged, passwordChanged } from '#server/people/mails/accountNotices.ts';
import {
  dropCodes,
  type Registered,
  renewRegistered,
  type UsedCode,
} from '#server/people/mails/userCodes.ts';
import { endUserSessions } from '#server/people/sessions/endUserSessions.ts';
import { publishUserSessions } from '#server/people/sessions/userNotices.ts';
import { dropLinking } from '#server/people/signIn/signInStore.ts';
import {
  dropUnverified,
  markVerified,
  setEmail,
  setProfile,
  setUserPassword,
  type UserRecord,
} from '#server/people/users/userStore.ts';
import { settingPassword, takeProof } from './proofs.ts';
import { guessAccount } from './userPasswords.ts';

/** The context of an action on an account: a call of the app API, or a page that an e-mail links to. */
export interface Acting {
  db: Db;
  platform: Platform;
  project: { id: string; name: string };
  address: string;
  now: Date;
  afterCommit: (tell: () => void) => void;
}

/** Confirms that the address to which a proof was sent belongs to the user. */
export async function confirmAddress(
  acting: Acting,
  { user, used }: { user: UserRecord; used: UsedCode },
): Promise<void> {
  const { db, platform, project, now, address, afterCommit } = acting;
  const of = { projectId: project.id, userId: user.id };
  if (used.purpose === 'verification') {
    if (user.verifiedAt === null && used.registered) await settle(acting, user, used.registered);
    await markVerified(db, user, now);
    await dropCodes(db, of, ['verification']);
  } else {
    await dropUnverified(db, project.id, used.email);
    await setEmail(db, user, { email: used.email, now });
    // Codes sent to the old address must not give access to the account.
    await dropCodes(db, of, ['reset', 'verification']);
    if (user.email !== null && user.verifiedAt !== null) {
      const to = { project, name: user.name, email: user.email, newEmail: used.email };
      await emailChanged(db, platform, to, { at: now, address });
    }
  }
  afterCommit(() => publishUserSessions(platform, project.id, user.id));
}

/** Of several registrations with one address, the one whose e-mail was read determines the account. */
async function settle(
  { db, now }: Acting,
  user: UserRecord,
  { passwordHash, name, language }: Registered,
): Promise<void> {
  // It is the account's already, and what was changed since stays: the password by the user, the name by a developer.
  if (passwordHash === user.passwordHash) return;
  await setUserPassword(db, user, { passwordHash, now });
  await setProfile(db, user, { name, language });
}

/** Sets a password, and ends everything that the old password gave access to. */
export async function replacePassword(
  acting: Acting,
  user: UserRecord,
  { passwordHash, keep }: { passwordHash: string; keep?: string | undefined },
): Promise<void> {
  const { db, platform, project, now, address, afterCommit } = acting;
  const of = { projectId: project.id, userId: user.id };
  await setUserPassword(db, user, { passwordHash, now });
  if (user.passwordHash !== null)
    await renewRegistered(db, of, { from: user.passwordHash, to: passwordHash });
  await dropCodes(db, of, ['reset', 'invite', 'emailChange']);
  await dropLinking(db, of);
  await endUserSessions(db, platform, { ...of, keep, reason: 'ended' });
  afterCommit(() => publishUserSessions(platform, of.projectId, of.userId));
  if (user.email === null) return;
  await forgiveAccount(db, platform, guessAccount(of.projectId, user.email));
  // A user who has just been given an account has not changed a password.
  if (user.passwordHash === null) return;
  await passwordChanged(db, platform, { project, name: user.name, email: user.email }, { at: now, address });
}

/** Sets a password with a code from an e-mail, which also verifies the address. */
export async function setPasswordByMail(
  acting: Acting,
  hash: Buffer,
  passwordHash: string,
): Promise<UserRecord> {
  const found = await takeProof(acting, hash, settingPassword);
  if (!found) throw new Problem('INVALID_LINK');
  await replacePassword(acting, found.user, { passwordHash });
  await markVerified(acting.db, found.user, acting.now);
  await dropCodes(acting.db, { projectId: acting.project.id, userId: found.user.id }, ['verification']);
  return found.user;
}
