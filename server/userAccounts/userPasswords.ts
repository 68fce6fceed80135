import { Problem } from '#contract/problem.ts';
import type { PasswordPolicy } from '#contract/project.ts';
import { brokenRules, passwordEnd } from '#rules/passwordPolicy.ts';
import { normalEmail } from '#server/accounts/email.ts';
import { checkNewPassword, hashPassword, verifyPassword } from '#server/accounts/password.ts';
import { countGuess } from '#server/accounts/throttle.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Call } from '#server/endpoints/route.ts';
import { findUserByEmail, lockUser, type UserRecord } from '#server/users/userStore.ts';

/** How guesses at a user's password are counted: see `countGuess`. */
export const guessAccount = (projectId: string, email: string) => `user ${projectId} ${email}`;

export async function passwordPolicyOf(db: Db, projectId: string): Promise<PasswordPolicy | undefined> {
  const row = await db.one<{ policy: PasswordPolicy | null }>(sql`
    select user_password_policy as policy from projects where id = ${projectId}`);
  return row?.policy ?? undefined;
}

/** Hashes a password that a user is to have, once it meets the rules of the project. */
export async function hashUserPassword(
  db: Db,
  projectId: string,
  { password, field }: { password: string; field: string },
): Promise<string> {
  const broken = brokenRules(await passwordPolicyOf(db, projectId), password);
  if (broken.length > 0)
    throw new Problem('PASSWORD_POLICY', { fields: { [field]: 'PASSWORD_POLICY' }, context: { broken } });
  await checkNewPassword(password, field);
  return hashPassword(password);
}

export async function isPasswordExpired(db: Db, user: UserRecord, now: Date): Promise<boolean> {
  if (!user.passwordSetAt) return false;
  const end = passwordEnd(await passwordPolicyOf(db, user.projectId), user.passwordSetAt);
  return end !== undefined && end <= now;
}

type Proving = Pick<Call, 'platform' | 'inApp' | 'from' | 'now' | 'about'>;

/**
 * Proves e-mail and password, counting the guess. Unknown or wrong: the same time, the same count, the same answer. What
 * else keeps the user out is for the caller to say, to who has proven the password alone.
 */
export async function proveUser(
  call: Proving,
  given: { email: string; password: string },
): Promise<UserRecord> {
  const { platform, inApp, from, now } = call;
  const { projectId, orgId } = inApp;
  const email = normalEmail(given.email);
  const row = await findUserByEmail(platform.db, projectId, email);
  call.about = {
    ...{ orgId, fields: { email } },
    ...(row && { userId: row.id, displayName: row.name || email }),
  };
  const account = guessAccount(projectId, email);
  const guess = await countGuess(platform, { account, address: from.address, now });
  const isProven = await verifyPassword(given.password, row?.passwordHash);
  if (!row || !isProven) throw new Problem('LOGIN_FAILED');
  await guess.succeed(platform.db);
  return row;
}

/**
 * The user who has proven a password, locked for what it allows. It was compared before the transaction, since that takes
 * its time: meanwhile it may have been set anew, which ended all that the old one had opened.
 */
export async function lockProven(db: Db, proven: UserRecord): Promise<UserRecord> {
  const user = await lockUser(db, proven);
  if (!user || user.passwordHash !== proven.passwordHash) throw new Problem('LOGIN_FAILED');
  return user;
}

/** Refuses what projects whose users have no password here do not offer. */
export function checkPasswordsUsed({ inApp }: Pick<Call, 'inApp'>): void {
  if (inApp.userAccountMode === 'external') throw new Problem('EXTERNAL_ACCOUNTS');
  if (inApp.restrictPasswordLogin) throw new Problem('PASSWORD_LOGIN_RESTRICTED');
}
