import { type Letter, writeLetter } from './letter.ts';
import { link } from './mailLinks.ts';
import { greeting, inert } from './names.ts';

interface WithToken {
  baseUrl: string;
  name: string;
  token: string;
}

const notYou = 'If this was not you, ignore this e-mail. Nothing changes until you open the link.';

/** Sent to the address of a new account, to verify that the developer can read it. */
export function verificationLetter({ baseUrl, name, token }: WithToken): Letter {
  return writeLetter({
    subject: 'Verify your e-mail address',
    before: [
      greeting(name),
      'Your account is ready. To open your projects, confirm that this address is yours.',
    ],
    button: { label: 'Verify e-mail', url: link(baseUrl, '/verify', { token }) },
    after: ['The link works once and expires in 24 hours.', notYou],
  });
}

/** Sent to the new address when a developer changes their e-mail. */
export function emailChangeLetter({ baseUrl, name, token }: WithToken): Letter {
  return writeLetter({
    subject: 'Verify your new e-mail address',
    before: [greeting(name), 'Confirm that this address is yours. You will then sign in with it.'],
    button: { label: 'Verify e-mail', url: link(baseUrl, '/verify', { token }) },
    after: ['The link works once and expires in 24 hours.', notYou],
  });
}

/** Sent to a developer who asked for a new password. */
export function passwordResetLetter({ baseUrl, name, token }: WithToken): Letter {
  return writeLetter({
    subject: 'Reset your password',
    before: [greeting(name), 'Someone, most likely you, asked to reset the password of your account.'],
    button: { label: 'Set new password', url: link(baseUrl, '/reset_password', { token }) },
    after: [
      'The link works once and expires in one hour. Setting a new password signs you out everywhere.',
      notYou,
    ],
  });
}

/** Sent to a person without an account whom a member added to a project, or whom the operator invited. */
export function invitationLetter({
  baseUrl,
  by,
  token,
}: {
  baseUrl: string;
  by: { inviter: string; project: string } | undefined;
  token: string;
}): Letter {
  const { subject, invited } = by ? toProject(by) : toPlatform;
  return writeLetter({
    subject,
    before: [invited, 'Choose a name and a password to get started.'],
    button: { label: 'Accept invitation', url: link(baseUrl, '/activate', { token }) },
    after: [
      'The link works once and expires in 7 days.',
      'If you do not know the sender, ignore this e-mail.',
    ],
  });
}

function toProject({ inviter, project }: { inviter: string; project: string }) {
  const [by, to] = [inert(inviter), inert(project)];
  return {
    subject: `${by} invited you to ${to}`,
    invited: `${by} invited you to the project ${to} on Mooring, where its team manages devices, firmware and apps.`,
  };
}

const toPlatform = {
  subject: 'You are invited to Mooring',
  invited:
    'The operator of the platform invited you to Mooring, where teams manage their devices, firmware and apps.',
};
