import { changeMyEmail, editMe, proveMe, readMe } from '#contract/appApi/me.ts';
import { Problem } from '#contract/problem.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { verifyPassword } from '#server/accounts/identity/password.ts';
import { countGuess, countMail } from '#server/accounts/identity/throttle.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { checkUserProof } from '#server/api/endpoints/userProof.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';
import { mailEmailUpdate } from '#server/people/mails/accountMails.ts';
import { emailChangeStarted } from '#server/people/mails/accountNotices.ts';
import { renewUserProof } from '#server/people/sessions/renewUserProof.ts';
import { userForApp } from '#server/people/sessions/userForApp.ts';
import { publishUserSessions } from '#server/people/sessions/userNotices.ts';
import { findUserById, setNewEmail, setProfile, type UserRecord } from '#server/people/users/userStore.ts';
import { guessAccount } from './userPasswords.ts';

type OfUser = Pick<Call, 'db' | 'platform' | 'inApp' | 'user' | 'afterCommit'>;

async function myRecord({ db, inApp, user }: OfUser): Promise<UserRecord> {
  const row = await findUserById(db, inApp.projectId, user.id);
  if (!row) throw new Problem('NO_USER_SESSION');
  return row;
}

/** Announces that cached data about the caller is outdated. */
function publishChanged({ platform, inApp, user, afterCommit }: OfUser): void {
  afterCommit(() => publishUserSessions(platform, inApp.projectId, user.id));
}

async function checkEmailChange(call: Call<typeof changeMyEmail>): Promise<void> {
  const { platform, inApp, body, now } = call;
  if (inApp.userAccountMode === 'external') throw new Problem('EXTERNAL_ACCOUNTS');
  checkUserProof(call);
  const email = normalEmail(body.email);
  if (email === (await myRecord(call)).email) throw unchanged();
  await countMail(platform, { of: inApp.projectId, purpose: 'verification', email, now });
}

const unchanged = () => new Problem('EMAIL_UNCHANGED', { fields: { email: 'EMAIL_UNCHANGED' } });

async function startEmailChange(call: Call<typeof changeMyEmail>): Promise<void> {
  const { db, platform, inApp, body, now, from } = call;
  const row = await myRecord(call);
  const newEmail = normalEmail(body.email);
  if (newEmail === row.email) throw unchanged();
  await setNewEmail(db, row, { newEmail, sessionId: call.user.sessionId });
  const project = { id: inApp.projectId, name: inApp.projectName };
  const user = { id: row.id, name: row.name, email: row.email ?? newEmail };
  await mailEmailUpdate(db, platform, { project, user, newEmail, askedFrom: [networkOf(from.address)] });
  if (row.email === null || row.verifiedAt === null) return;
  const to = { project, name: row.name, email: row.email, newEmail };
  await emailChangeStarted(db, platform, to, { at: now, address: from.address });
}

export const myProfileRoutes = [
  on(readMe, ({ db, inApp, user }) => userForApp(db, inApp.projectId, user.id)),

  on(editMe, async call => {
    const { db, inApp, user, body } = call;
    call.before = await userForApp(db, inApp.projectId, user.id);
    await setProfile(db, { projectId: inApp.projectId, id: user.id }, body);
    publishChanged(call);
    return userForApp(db, inApp.projectId, user.id);
  }),

  on(
    proveMe,
    async call => {
      const { platform, body, now } = call;
      const { projectId, email, id, passwordHash } = await myRecord(call);
      // Only the user's own sessions can guess here, so they do not wait for anybody else's guesses.
      const guessed = { account: guessAccount(projectId, email ?? id), known: 'session', from: undefined };
      const guess = await countGuess(platform, { ...guessed, now });
      if (!(await verifyPassword(body.password, passwordHash)))
        throw new Problem('WRONG_PASSWORD', { fields: { password: 'WRONG_PASSWORD' } });
      await guess.succeed(platform.db);
    },
    async call => {
      const { db, inApp, user, now } = call;
      await renewUserProof(db, { projectId: inApp.projectId, sessionId: user.sessionId, now });
      publishChanged(call);
    },
  ),

  on(changeMyEmail, checkEmailChange, startEmailChange),
];
