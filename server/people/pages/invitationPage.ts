import { html } from '#server/api/pages/html.ts';
import { registerInvited } from '#server/people/accounts/registerInvited.ts';
import { hashUserPassword, passwordPolicyOf } from '#server/people/accounts/userPasswords.ts';
import { openInvitation } from '#server/people/invitations/openInvitation.ts';
import { findUserByEmail } from '#server/people/users/userStore.ts';
import { type Asked, actOnPage, isUseless, type Page, showSignIn, showUseless } from './pageActs.ts';
import { passwordFault, passwordRules } from './passwordRules.ts';
import { passwordForm, said } from './userPage.ts';

const waits = 'You will find the invitation to the home there.';

/** The invited address, and whether it already has an account; a suspended one cannot be registered again either. */
async function peek({ platform: { db }, project, token, now }: Asked) {
  const invitation = await openInvitation(db, { projectId: project.id, token, now });
  const user = invitation && (await findUserByEmail(db, project.id, invitation.email));
  const hasAccount = user !== undefined && (user.verifiedAt !== null || user.suspended);
  return invitation && { email: invitation.email, hasAccount };
}

async function showForm(asked: Asked, email: string, fault?: string) {
  const rules = passwordRules(await passwordPolicyOf(asked.platform.db, asked.project.id));
  const intro = said(
    'Choose a password for your account. Then sign in to the app and accept the invitation.',
  );
  const main = html`${intro}${passwordForm({ token: asked.token, email, rules, fault })}`;
  return asked.show(fault === undefined ? 200 : 422, 'You are invited', main);
}

/** Creates an account for a person who is invited to a home. The invitation itself is accepted in the app. */
export const invitationPage: Page = {
  path: '/invitation',

  async look(asked) {
    const invited = await peek(asked);
    if (!invited) return showUseless(asked);
    const { email, hasAccount } = invited;
    return hasAccount || !asked.project.isPasswordUsed
      ? showSignIn(asked, email, waits)
      : showForm(asked, email);
  },

  async send(asked, { password = '' }) {
    const invited = await peek(asked);
    if (!invited) return showUseless(asked);
    const { email, hasAccount } = invited;
    if (hasAccount || !asked.project.isPasswordUsed) return showSignIn(asked, email, waits);
    const { platform, project } = asked;
    try {
      const given = { password: password.slice(0, 1024), field: 'password' };
      const passwordHash = await hashUserPassword(platform.db, project.id, given);
      const done = { action: 'register', text: `Registration of ${email}`, email };
      await actOnPage(asked, done, acting => registerInvited(acting, { email, passwordHash }));
    } catch (error) {
      const fault = passwordFault(error);
      if (fault !== undefined) return showForm(asked, email, fault);
      if (isUseless(error)) return showUseless(asked);
      throw error;
    }
    return asked.show(200, 'Your account is ready', said(`Return to the app and sign in. ${waits}`));
  },
};
