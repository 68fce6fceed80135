import { Problem } from '#contract/problem.ts';
import type { PasswordPolicy } from '#contract/project.ts';
import { brokenRules, passwordEnd } from '#rules/passwords/passwordPolicy.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { checkNewPassword, hashPassword, verifyPassword } from '#server/accounts/identity/password.ts';
import { countGuess } from '#server/accounts/identity/throttle.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { knownDevice } from '#server/people/sessions/knownDevice.ts';
import { findUserByEmail, lockUser, type UserRecord } from '#server/people/users/userStore.ts';

/** The key under which wrong guesses of a user's password are counted: see `countGuess`. */
export const guessAccount = (projectId: string, email: string) => `user ${projectId} ${email}`;

export async function passwordPolicyOf(db: Db, projectId: string): Promise<PasswordPolicy | undefined> {
  const row = await db.one<{ policy: PasswordPolicy | null }>(sql`
    select user_password_policy as policy from projects where id = ${projectId}`);
  return row?.policy ?? undefined;
}

/** Hashes a new password of a user, if it meets the rules of the project. */
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

type Proving = Pick<Call, 'platform' | 'inApp' | 'endUser' | 'from' | 'now' | 'about'>;

/**
 * Checks e-mail and password, and counts the attempt. Unknown addresses and wrong passwords get the same answer with
 * the same delay and count. The caller checks what else keeps the user out, after the password was proven.
 */
export async function proveUser(
  call: Proving,
  given: { email: string; password: string; deviceToken?: string | undefined },
): Promise<UserRecord> {
  const { platform, inApp, from, now } = call;
  const { projectId, orgId } = inApp;
  const email = normalEmail(given.email);
  const row = await findUserByEmail(platform.db, projectId, email);
  call.about = {
    orgId,
    fields: { email },
    ...(row && { userId: row.id, displayName: row.name || email }),
  };
  const { address } = from;
  const { deviceToken } = given;
  const guess = await countGuess(platform, {
    account: guessAccount(projectId, email),
    known:
      row && (isSignedIn(call, row) ? 'session' : await knownDevice(platform, row, { deviceToken, address })),
    from: { kind: 'users', address },
    now,
  });
  const isProven = await verifyPassword(given.password, row?.passwordHash);
  if (!row || !isProven) throw new Problem('LOGIN_FAILED');
  await guess.succeed(platform.db);
  return row;
}

const isSignedIn = ({ endUser }: Proving, { id }: UserRecord) => endUser?.id === id;

/**
 * Locks a user who has proven a password. The password was compared before the transaction, because that takes time: it
 * may have been replaced since, which ended everything that the old password gave access to.
 */
export async function lockProven(db: Db, proven: UserRecord): Promise<UserRecord> {
  const user = await lockUser(db, proven);
  if (!user || user.passwordHash !== proven.passwordHash) throw new Problem('LOGIN_FAILED');
  return user;
}

/** Refuses the call if users of the project have no passwords here. */
export function checkPasswordsUsed({ inApp }: Pick<Call, 'inApp'>): void {
  if (inApp.userAccountMode === 'external') throw new Problem('EXTERNAL_ACCOUNTS');
  if (inApp.restrictPasswordLogin) throw new Problem('PASSWORD_LOGIN_RESTRICTED');
}
