import { changePassword, resetPassword, startPasswordReset } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { checkNewPassword, hashPassword } from '#server/accounts/identity/password.ts';
import { forgiveAccount, mayMail } from '#server/accounts/identity/throttle.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { endAccessTokens } from '#server/api/sessions/accessToken.ts';
import { endSessions, renewProof } from '#server/api/sessions/session.ts';
import { sql } from '#server/infra/db/sql.ts';
import { passwordResetLetter } from '#server/mail/sending/developerMails.ts';
import { passwordChangedNotice } from '#server/mail/sending/notices.ts';
import { rememberBrowser } from './knownBrowser.ts';
import { provePassword } from './logIn.ts';
import { mailTo } from './mailTo.ts';
import { publishEnded } from './sessions.ts';
import {
  type DeveloperRow,
  dropEmailChange,
  findByEmail,
  findById,
  lockProven,
  setPassword,
} from './store.ts';
import { dropTokens, isOpen, makeToken, takeToken } from './tokens.ts';
import { dropSecondFactor } from './totp.ts';

/** Sets the password and ends everything the old one opened. */
async function replacePassword(
  call: Call,
  row: DeveloperRow,
  { passwordHash, keep, revokesTokens }: { passwordHash: string; keep?: Buffer; revokesTokens: boolean },
): Promise<void> {
  const { db, platform, now, from } = call;
  await setPassword(db, row.id, passwordHash);
  await dropEmailChange(db, row);
  await endSessions(db, row.id, keep);
  if (revokesTokens) await endAccessTokens(db, row.id);
  publishEnded(call, row.id);
  await dropTokens(db, row.id, ['reset', 'auth2F']);
  await forgiveAccount(db, platform, `${row.orgId} ${row.email}`);
  rememberBrowser(call, row.id);
  const happened = { name: row.name, at: now, address: from.address };
  await mailTo(db, platform, row, baseUrl => passwordChangedNotice({ baseUrl, ...happened }));
}

/** A caller who is signed in knows the address: only the password can be wrong, so the error is shown at its field. */
function wrongOldPassword(call: Call, error: unknown): never {
  const isOwn = call.session !== undefined && call.about?.developerId === call.session.developerId;
  if (!isOwn || !(error instanceof Problem) || error.reason !== 'LOGIN_FAILED') throw error;
  throw new Problem('WRONG_PASSWORD', { fields: { oldPassword: 'WRONG_PASSWORD' } });
}

function mayMailReset({ platform, body, now }: Call<typeof startPasswordReset>): Promise<boolean> {
  return mayMail(platform, { of: body.orgId, purpose: 'reset', email: normalEmail(body.email), now });
}

export const passwordRoutes = [
  on(
    changePassword,
    async call => {
      if (call.session?.sudoer) throw new Problem('NOT_IN_SUDO');
      await checkNewPassword(call.body.newPassword, 'newPassword');
      const row = await provePassword(call, { ...call.body, password: call.body.oldPassword }).catch(error =>
        wrongOldPassword(call, error),
      );
      // If the account has two-factor authentication, the password alone is not enough to sign in, and not enough here.
      if (row.totpActive && call.session?.developerId !== row.id) throw new Problem('NO_LOGIN');
      return { proven: row, passwordHash: await hashPassword(call.body.newPassword) };
    },
    async (call, { proven, passwordHash }) => {
      const row = await lockProven(call.db, proven);
      const own = call.session?.developerId === row.id ? call.session.hash : undefined;
      if (own) await renewProof(call.db, own, call.now);
      const revokesTokens = call.body.revokeTokens === true;
      await replacePassword(call, row, { passwordHash, ...(own && { keep: own }), revokesTokens });
    },
  ),

  on(startPasswordReset, mayMailReset, async (call, isAllowed) => {
    const { db, body, now, platform } = call;
    const email = normalEmail(body.email);
    call.about = { orgId: body.orgId, fields: { email } };
    const row = await findByEmail(db, body.orgId, email);
    if (!isAllowed || !row || row.suspended || row.passwordHash === null) return;
    await dropTokens(db, row.id, ['reset']);
    const given = { orgId: row.orgId, developerId: row.id, data: { email }, now };
    const token = await makeToken(db, 'reset', given);
    await mailTo(db, platform, row, baseUrl => passwordResetLetter({ baseUrl, name: row.name, token }));
  }),

  on(
    resetPassword,
    async ({ body, platform, now }) => {
      // Hashing is expensive: only callers with a valid link cause it.
      if (!(await isOpen(platform.db, 'reset', body.token, now))) throw new Problem('INVALID_LINK');
      await checkNewPassword(body.newPassword, 'newPassword');
      return hashPassword(body.newPassword);
    },
    async (call, passwordHash) => {
      const { db, body, now } = call;
      const token = await takeToken(db, 'reset', body.token, now);
      const row = token?.developerId ? await findById(db, token.developerId) : undefined;
      // The address may have changed since the link was sent.
      if (!row || row.suspended || token?.data.email !== row.email) throw new Problem('INVALID_LINK');
      call.about = {
        orgId: row.orgId,
        developerId: row.id,
        displayName: row.name,
        fields: { email: row.email },
      };
      // Anyone who follows the link can read e-mails to the address, which is what verification checks.
      await db.run(sql`update developers set verified = true where id = ${row.id}`);
      // Before verification, anyone could have created the account and set up two-factor authentication to lock its
      // owner out.
      if (!row.verified) await dropSecondFactor(db, row.id);
      // Anyone who had access to the account may have created access tokens.
      await replacePassword(call, row, { passwordHash, revokesTokens: true });
    },
  ),
];
