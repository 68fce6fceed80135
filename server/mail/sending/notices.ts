import { type Letter, writeLetter } from './letter.ts';
import { link } from './mailLinks.ts';
import { greeting, inert } from './names.ts';

interface Account {
  baseUrl: string;
  name: string;
}

/** When an event happened to an account, and from which network address. */
interface Happened extends Account {
  at: Date;
  address: string;
}

/** Sent to the current address when a change of it is requested. */
export function emailChangeNotice({ baseUrl, name, newEmail }: Account & { newEmail: string }): Letter {
  return writeLetter({
    subject: 'Your e-mail address is being changed',
    before: [
      greeting(name),
      'Someone asked to change the address you sign in with. The change takes effect when the link sent to the new address is opened.',
    ],
    facts: [['New address', newEmail]],
    button: { label: 'Review account', url: link(baseUrl, '/account') },
    after: ['If this was not you, change your password now. That also ends all other sessions.'],
  });
}

/** Sent after a change or reset of the password. */
export function passwordChangedNotice({ baseUrl, name, at, address }: Happened): Letter {
  return writeLetter({
    subject: 'Your password was changed',
    before: [greeting(name), 'The password of your account was changed, and your other sessions were ended.'],
    facts: [
      ['Time', utc(at)],
      ['Address', address],
    ],
    button: { label: 'Set new password', url: link(baseUrl, '/reset_password') },
    after: ['If this was you, no action is needed. If not, set a new password now.'],
  });
}

/** Sent after a sign-in from an unknown browser. */
export function newSignInNotice({
  baseUrl,
  name,
  device,
  at,
  address,
}: Happened & { device: string }): Letter {
  return writeLetter({
    subject: 'New sign-in to your account',
    before: [greeting(name), 'Someone signed in to your account from a new browser.'],
    facts: [
      ['Device', inert(device)],
      ['Time', utc(at)],
      ['Address', address],
    ],
    button: { label: 'Review sessions', url: link(baseUrl, '/account') },
    after: ['If this was you, no action is needed. If not, end that session and change your password.'],
  });
}

/** Sent after an access token was created, because a token works without a password. */
export function accessTokenNotice({
  baseUrl,
  name,
  token,
  at,
  address,
}: Happened & { token: string }): Letter {
  return writeLetter({
    subject: 'A new access token for your account',
    before: [greeting(name), 'An access token was created. Whoever has it can call the API as you.'],
    facts: [
      ['Token', inert(token)],
      ['Time', utc(at)],
      ['Address', address],
    ],
    button: { label: 'Review access tokens', url: link(baseUrl, '/account') },
    after: ['If this was you, no action is needed. If not, revoke the token and change your password.'],
  });
}

/** Sent when support staff begin to act as this developer. */
export function supportSessionNotice({
  baseUrl,
  name,
  sudoer,
  at,
  address,
}: Happened & { sudoer: string }): Letter {
  return writeLetter({
    subject: 'A support session was started on your account',
    before: [
      greeting(name),
      'A support agent opened your account. The session lasts at most one hour and cannot change your password, e-mail address or two-factor authentication.',
    ],
    facts: [
      ['Opened by', sudoer],
      ['Time', utc(at)],
      ['Address', address],
    ],
    button: { label: 'Review sessions', url: link(baseUrl, '/account') },
    after: ['Everything done in the session is recorded in the audit log, marked with an asterisk.'],
  });
}

/**
 * Sent to the owner of an address when someone signs up with it again; the person who signs up is not told that the
 * address has an account.
 */
export function accountExistsNotice({ baseUrl, name }: Account): Letter {
  return writeLetter({
    subject: 'You already have an account',
    before: [
      greeting(name),
      'Someone, most likely you, tried to sign up with this address. It already has an account, so no new one was created.',
    ],
    button: { label: 'Sign in', url: link(baseUrl, '/login') },
    after: [
      'If you forgot your password, you can reset it on the sign-in page.',
      'If this was not you, ignore this e-mail.',
    ],
  });
}

/** Sent to a developer whom a member added to a project. */
export function addedToProjectNotice({
  baseUrl,
  name,
  inviter,
  project,
  projectId,
}: Account & { inviter: string; project: string; projectId: string }): Letter {
  return writeLetter({
    subject: `${inert(inviter)} added you to ${inert(project)}`,
    before: [
      greeting(name),
      `${inert(inviter)} added you to the project ${inert(project)}. It is now in your list of projects.`,
    ],
    button: { label: 'Open project', url: link(baseUrl, `/projects/${encodeURIComponent(projectId)}`) },
  });
}

/** Formats as `20 Nov 2026, 09:46 UTC`, because the time zone of the reader is not known. */
function utc(at: Date): string {
  const text = at.toLocaleString('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' });
  return `${text} UTC`;
}
