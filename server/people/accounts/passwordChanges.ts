import { changeUserPassword, resetUserPassword, startUserPasswordReset } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { mayMail } from '#server/accounts/identity/throttle.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';
import { mailPasswordReset } from '#server/people/mails/accountMails.ts';
import { renewUserProof } from '#server/people/sessions/renewUserProof.ts';
import { findUserByEmail } from '#server/people/users/userStore.ts';
import { replacePassword, setPasswordByMail } from './accountActs.ts';
import { aboutUser, actingIn } from './inApp.ts';
import { peekProof, settingPassword } from './proofs.ts';
import { checkPasswordsUsed, hashUserPassword, lockProven, proveUser } from './userPasswords.ts';
import { proofIn, wrongProof } from './verifications.ts';

/** For calls with a code or an old password, after passwords were turned off. */
function refuseUnused({ inApp }: Pick<Call, 'inApp'>): void {
  if (inApp.userAccountMode === 'external' || inApp.restrictPasswordLogin)
    throw new Problem('PASSWORD_LOGIN_RESTRICTED');
}

export const passwordChangeRoutes = [
  on(
    startUserPasswordReset,
    async call => {
      checkPasswordsUsed(call);
      const { platform, inApp, body, now } = call;
      const email = normalEmail(body.email);
      return mayMail(platform, { of: inApp.projectId, purpose: 'reset', email, now });
    },
    async ({ db, platform, inApp, body, from }, isAllowed) => {
      const { projectId, projectName } = inApp;
      const user = await findUserByEmail(db, projectId, normalEmail(body.email));
      if (!isAllowed || !user || user.email === null || user.suspended) return;
      const { id, name, email } = user;
      const project = { id: projectId, name: projectName };
      const askedFrom = [networkOf(from.address)];
      await mailPasswordReset(db, platform, { project, user: { id, name, email }, askedFrom });
    },
  ),

  on(
    resetUserPassword,
    async call => {
      refuseUnused(call);
      const { platform, inApp, body, now } = call;
      const { projectId } = inApp;
      const hash = await proofIn(call, settingPassword);
      // Hashing a password is expensive, so it requires a valid proof.
      const at = { db: platform.db, project: { id: projectId }, now };
      if (!(await peekProof(at, hash, settingPassword))) throw wrongProof(body);
      const given = { password: body.newPassword, field: 'newPassword' };
      return { hash, passwordHash: await hashUserPassword(platform.db, projectId, given) };
    },
    async (call, { hash, passwordHash }) => {
      const user = await setPasswordByMail(actingIn(call), hash, passwordHash);
      call.about = aboutUser(call, user);
    },
  ),

  on(
    changeUserPassword,
    async call => {
      refuseUnused(call);
      const { platform, inApp, body } = call;
      const { email, oldPassword, newPassword, deviceToken } = body;
      const proven = await proveUser(call, { email, password: oldPassword, deviceToken });
      if (proven.suspended) throw new Problem('LOGIN_FAILED');
      if (oldPassword.normalize('NFKC') === newPassword.normalize('NFKC'))
        throw new Problem('PASSWORD_UNCHANGED', { fields: { newPassword: 'PASSWORD_UNCHANGED' } });
      const given = { password: newPassword, field: 'newPassword' };
      return { proven, passwordHash: await hashUserPassword(platform.db, inApp.projectId, given) };
    },
    async (call, { proven, passwordHash }) => {
      const user = await lockProven(call.db, proven);
      const keep = call.endUser?.id === user.id ? call.endUser.sessionId : undefined;
      if (keep !== undefined)
        await renewUserProof(call.db, { projectId: user.projectId, sessionId: keep, now: call.now });
      await replacePassword(actingIn(call), user, { passwordHash, keep });
    },
  ),
];
