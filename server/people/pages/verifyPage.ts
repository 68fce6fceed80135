import { Problem } from '#contract/problem.ts';
import { html } from '#server/api/pages/html.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { confirmAddress } from '#server/people/accounts/accountActs.ts';
import { peekProof, takeProof, verifying } from '#server/people/accounts/proofs.ts';
import { type Asked, actOnPage, isUseless, type Page, showUseless } from './pageActs.ts';
import { pressForm, said } from './userPage.ts';

const peek = ({ platform: { db }, project, token, now }: Asked) =>
  peekProof({ db, project, now }, hashToken(token), verifying);

/** Another account verified the address while the change was pending. */
function showTaken({ show }: Asked, email: string) {
  const text = `Another account has the address ${email}, so your address was not changed.`;
  return show(409, 'This address is taken', said(text));
}

/** Verifies an e-mail address of a new account, or confirms a changed one. */
export const verifyPage: Page = {
  path: '/verify',

  async look(asked) {
    const proof = await peek(asked);
    if (!proof) return showUseless(asked);
    const main = html`${said(`Confirm that ${proof.used.email} is your address.`)}${pressForm(asked.token, 'Confirm e-mail address')}`;
    return asked.show(200, 'Confirm your e-mail address', main);
  },

  async send(asked) {
    const proof = await peek(asked);
    if (!proof) return showUseless(asked);
    try {
      const { email } = proof.used;
      const done = { action: 'verify', text: `E-mail address ${email} verified`, email };
      await actOnPage(asked, done, async acting => {
        const found = await takeProof(acting, hashToken(asked.token), verifying);
        if (!found) throw new Problem('INVALID_LINK');
        await confirmAddress(acting, found);
        return found.user;
      });
    } catch (error) {
      if (isUseless(error)) return showUseless(asked);
      if (error instanceof Problem && error.reason === 'EMAIL_TAKEN')
        return showTaken(asked, proof.used.email);
      throw error;
    }
    return asked.show(200, 'Your e-mail address is confirmed', said('Return to the app and sign in.'));
  },
};
