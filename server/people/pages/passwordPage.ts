import { hashToken } from '#server/api/sessions/session.ts';
import { setPasswordByMail } from '#server/people/accounts/accountActs.ts';
import { peekProof, settingPassword } from '#server/people/accounts/proofs.ts';
import { hashUserPassword, passwordPolicyOf } from '#server/people/accounts/userPasswords.ts';
import type { UsedCode } from '#server/people/mails/userCodes.ts';
import { type Asked, actOnPage, isUseless, type Page, showSignIn, showUseless } from './pageActs.ts';
import { passwordFault, passwordRules } from './passwordRules.ts';
import { passwordForm, said } from './userPage.ts';

const title = 'Choose a password';

const peek = ({ platform: { db }, project, token, now }: Asked) =>
  peekProof({ db, project, now }, hashToken(token), settingPassword);

async function showForm(asked: Asked, email: string, fault?: string) {
  const rules = passwordRules(await passwordPolicyOf(asked.platform.db, asked.project.id));
  const main = passwordForm({ token: asked.token, email, rules, fault });
  return asked.show(fault === undefined ? 200 : 422, title, main);
}

/** There is no password to choose: the invited account is the user's at the first sign-in with a provider. */
function showWithoutPassword(asked: Asked, used: UsedCode | undefined) {
  return used?.purpose === 'invite' ? showSignIn(asked, used.email) : showUseless(asked);
}

/** Sets a password: replaces a forgotten one, or chooses that of a new account. */
export const passwordPage: Page = {
  path: '/password',

  async look(asked) {
    const proof = await peek(asked);
    if (!asked.project.isPasswordUsed) return showWithoutPassword(asked, proof?.used);
    return proof ? showForm(asked, proof.used.email) : showUseless(asked);
  },

  async send(asked, { password = '' }) {
    const proof = await peek(asked);
    if (!asked.project.isPasswordUsed) return showWithoutPassword(asked, proof?.used);
    if (!proof) return showUseless(asked);
    const { platform, project, token } = asked;
    try {
      const given = { password: password.slice(0, 1024), field: 'password' };
      const passwordHash = await hashUserPassword(platform.db, project.id, given);
      const done = { action: 'resetUserPassword', text: 'Password reset', email: proof.used.email };
      await actOnPage(asked, done, acting => setPasswordByMail(acting, hashToken(token), passwordHash));
    } catch (error) {
      const fault = passwordFault(error);
      if (fault !== undefined) return showForm(asked, proof.used.email, fault);
      if (isUseless(error)) return showUseless(asked);
      throw error;
    }
    return asked.show(200, 'Your password is set', said('Return to the app and sign in with it.'));
  },
};
