import { type Db, sql } from '#server/infra/db/sql.ts';
import { type Purpose, peekCode, takeCode, type UsedCode } from '#server/people/mails/userCodes.ts';
import { isSessionOpen } from '#server/people/sessions/findUserSession.ts';
import { findUserById, lockUser, type UserRecord } from '#server/people/users/userStore.ts';

export const verifying: readonly Purpose[] = ['verification', 'emailChange'];
export const settingPassword: readonly Purpose[] = ['reset', 'invite'];

interface At {
  db: Db;
  project: { id: string };
  now: Date;
}

interface Proven {
  user: UserRecord;
  used: UsedCode;
}

/** Uses up a proof from an e-mail and returns its user, locked; undefined if it is not valid, or no longer. */
export async function takeProof(
  { db, project: { id: projectId }, now }: At,
  hash: Buffer,
  purposes: readonly Purpose[],
): Promise<Proven | undefined> {
  const used = await takeCode(db, { projectId, hash, purposes, now });
  const user = used && (await lockUser(db, { projectId, id: used.userId }));
  return used && user && (await isStillGood(db, { user, used }, now)) ? { user, used } : undefined;
}

/** Reads a proof without using it up, so that nobody is asked for a password that cannot be set. */
export async function peekProof(
  { db, project: { id: projectId }, now }: At,
  hash: Buffer,
  purposes: readonly Purpose[],
): Promise<Proven | undefined> {
  const used = await peekCode(db, { projectId, hash, purposes, now });
  const user = used && (await findUserById(db, projectId, used.userId));
  return used && user && (await isStillGood(db, { user, used }, now)) ? { user, used } : undefined;
}

/**
 * Whether what was true when the e-mail was sent still is: the user is not suspended, the address is the one it was
 * sent to, and users still have their accounts here. A change of the address also ends with the session in which it was
 * begun: otherwise a thief could keep the account after being signed out.
 */
async function isStillGood(db: Db, { user, used }: Proven, now: Date): Promise<boolean> {
  const { projectId, suspended, email, newEmail, newEmailSession: sessionId } = user;
  if (suspended || !(await hasAccountsHere(db, projectId))) return false;
  if (used.purpose !== 'emailChange') return email === used.email;
  if (newEmail !== used.email || sessionId === null) return false;
  return isSessionOpen(db, { projectId, sessionId, now });
}

async function hasAccountsHere(db: Db, projectId: string): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from projects where id = ${projectId} and user_account_mode = 'email'`);
  return found !== undefined;
}
