import { type Letter, writeLetter } from './letter.ts';
import { link } from './mailLinks.ts';
import { greeting, inert } from './names.ts';

interface WithToken {
  baseUrl: string;
  name: string;
  token: string;
}

const notYou = 'If this was not you, ignore this mail. Nothing changes until the link is opened.';

/** To a new account's address: proves that it can be read. */
export function verificationLetter({ baseUrl, name, token }: WithToken): Letter {
  return writeLetter({
    subject: 'Verify your e-mail address',
    before: [
      greeting(name),
      'Your account is ready. Confirm that this address is yours to open your projects.',
    ],
    button: { label: 'Verify e-mail', url: link(baseUrl, '/verify', { token }) },
    after: ['The link works once, for 24 hours.', notYou],
  });
}

/** To the new address of a change of e-mail. */
export function emailChangeLetter({ baseUrl, name, token }: WithToken): Letter {
  return writeLetter({
    subject: 'Verify your new e-mail address',
    before: [greeting(name), 'Confirm that this address is yours. From then on you sign in with it.'],
    button: { label: 'Verify e-mail', url: link(baseUrl, '/verify', { token }) },
    after: ['The link works once, for 24 hours.', notYou],
  });
}

/** To whoever asked for a new password. */
export function passwordResetLetter({ baseUrl, name, token }: WithToken): Letter {
  return writeLetter({
    subject: 'Set a new password',
    before: [greeting(name), 'Somebody, most likely you, asked to set a new password for your account.'],
    button: { label: 'Set new password', url: link(baseUrl, '/reset_password', { token }) },
    after: ['The link works once, for one hour. Setting a password signs you out everywhere.', notYou],
  });
}

/** To somebody without an account whom a member added to a project. */
export function invitationLetter({
  baseUrl,
  inviter,
  project,
  token,
}: {
  baseUrl: string;
  inviter: string;
  project: string;
  token: string;
}): Letter {
  return writeLetter({
    subject: `${inert(inviter)} invites you to ${inert(project)}`,
    before: [
      `${inert(inviter)} added you to the project ${inert(project)} on Mooring, where its devices, firmware and apps are looked after.`,
      'Choose a name and a password to begin.',
    ],
    button: { label: 'Accept invitation', url: link(baseUrl, '/activate', { token }) },
    after: ['The link works once, for 7 days.', 'If you do not know who sent this, ignore it.'],
  });
}
