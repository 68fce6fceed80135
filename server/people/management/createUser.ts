import { Problem } from '#contract/problem.ts';
import type { createUser, User } from '#contract/user.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { hashUserPassword } from '#server/people/accounts/userPasswords.ts';
import { mailInvitation } from '#server/people/mails/accountMails.ts';
import { findUser } from '#server/people/users/user.ts';
import { insertUser } from '#server/people/users/userStore.ts';

type Create = Call<typeof createUser>;

/** Hashed before the transaction, because it takes time. */
export async function hashGiven({ db, body }: Create): Promise<string | undefined> {
  const { projectId, password } = body;
  if (password === undefined) return undefined;
  return hashUserPassword(db, projectId, { password, field: 'password' });
}

/**
 * With a password, the address counts as verified, because the creator vouches for it. Without one, the invitation
 * verifies it.
 */
export async function createOne(call: Create, passwordHash: string | undefined): Promise<User> {
  const { db, body, now, platform } = call;
  const { projectId, name, language } = body;
  const project = await projectOf(db, projectId);
  if (project.userAccountMode === 'external') throw new Problem('EXTERNAL_ACCOUNTS');
  const email = normalEmail(body.email);
  const id = platform.newId('usr');
  const isVerified = passwordHash !== undefined;
  const isNew = await insertUser(db, {
    id,
    projectId,
    email,
    name,
    language,
    passwordHash,
    isVerified,
    now,
    passwordIsInitial: passwordHash !== undefined,
  });
  if (!isNew) throw new Problem('EMAIL_TAKEN', { fields: { email: 'EMAIL_TAKEN' } });
  if (!isVerified) {
    const { displayName: inviterName, callerType } = actorOf(call);
    const user = { id, name: name ?? '', email };
    // The name of a key means nothing to the invited person.
    await mailInvitation(db, platform, {
      project,
      user,
      inviterName: callerType === 'developer' ? inviterName : '',
    });
  }
  const created = await findUser(db, { projectId, id, now });
  if (!created) throw new Problem('USER_NOT_FOUND');
  return created;
}

export async function projectOf(
  db: Db,
  projectId: string,
): Promise<{
  id: string;
  name: string;
  userAccountMode: 'email' | 'external';
  restrictPasswordLogin: boolean;
}> {
  const project = await db.one<Awaited<ReturnType<typeof projectOf>>>(sql`
    select id, name, user_account_mode as "userAccountMode", restrict_password_login as "restrictPasswordLogin"
    from projects where id = ${projectId}`);
  if (!project) throw new Problem('PROJECT_NOT_FOUND');
  return project;
}
