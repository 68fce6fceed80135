import { dayMs, dayS, hourMs, hourS, minuteMs, minuteS } from './durations.ts';

// How long what the platform gives out is valid: tokens, codes, invitations, secrets after their rotation, uploads.

/** The lifetime of an access token, in seconds. */
export const accessTokenTtlS = 15 * 60;
/** Codes sent by e-mail: their length, the number of attempts, and how long they are valid. */
export const mailCode = { digits: 6, triesMax: 5, minutes: 15 };
/**
 * Calls that answer `PROOF_REQUIRED` are accepted for this many minutes after the user signed in or confirmed a
 * password.
 */
export const proofMinutes = 5;
/** Hours after which a device created on demand is removed if it never connected. */
export const unusedProvisionHours = 24;
/** How long an invitation to a home, or the offer of one, can be accepted. */
export const invitationDays = 7;
/** The maximum lifetime of an end user's session in seconds: the default, and the range an app can choose from. */
export const userSessionsTtl = { defaultS: 30 * dayS, minS: hourS, maxS: 400 * dayS };
/** How long the previous secret stays valid after a rotation, in seconds. */
export const keyGrace = { defaultS: dayS, maxS: 30 * dayS };
/** How long calls are also signed with the previous key after a rotation, in seconds. */
export const signingKeyGrace = { defaultS: dayS, maxS: 30 * dayS };
/** How many hours the previous signing secret of a webhook is used in addition to the new one. */
export const previousSignsHours = 24;
/** An upload that is not completed within this time is removed. */
export const uploadHours = 24;
/** How long a command waits for its device, in seconds. */
export const commandTtlDefaultS = dayS;
export const commandTtlMaxS = 30 * dayS;
/** The session of a developer: without use, in all, and one that an operator opened; in seconds. */
export const sessionTtlS = 12 * hourS;
export const sessionMaxS = 30 * dayS;
export const sudoSessionMaxS = hourS;
/** How long a password counts as recently proven, for calls that require it. */
export const proofMaxAgeMs = 15 * minuteMs;

/** Links in e-mails to developers, the link of the operator, and the second step of a sign-in; in seconds. */
export const developerTokenS = {
  verification: dayS,
  activation: 7 * dayS,
  reset: hourS,
  sudo: 10 * minuteS,
  auth2F: 5 * minuteS,
} as const;
/** Links in e-mails to end users, also in words. Their codes are for users who have the app open now. */
export const userLinkLife = {
  verification: { ms: dayMs, words: '24 hours' },
  emailChange: { ms: dayMs, words: '24 hours' },
  reset: { ms: hourMs, words: '1 hour' },
  invite: { ms: 7 * dayMs, words: '7 days' },
} as const;
