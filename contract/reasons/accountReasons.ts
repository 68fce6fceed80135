import type { Sentences } from './sentences.ts';

export const accountReasons = {
  // Accounts
  LOGIN_FAILED: [401, 'The e-mail address or password is wrong.'],
  LOGIN_ORG_MISMATCH: [403, 'This account belongs to another organization. Sign in to that organization.'],
  INVALID_TOKEN: [
    400,
    'This code is not valid. Check that the clock on your device is correct, then try the next code.',
  ],
  AUTH_CODE_EXCEED_LENGTH: [400, 'The code must have 6 digits.'],
  AUTH2F_EXPIRED: [401, 'The sign-in took too long, or there were too many wrong codes. Sign in again.'],
  AUTH2F_ALREADY_ACTIVE: [409, 'Two-factor authentication is already on.'],
  AUTH2F_NOT_STARTED: [409, 'Start two-factor setup first.'],
  AUTH2F_NOT_ACTIVE: [409, 'Two-factor authentication is not on.'],
  WRONG_PASSWORD: [403, 'The password is wrong.'],
  WEAK_PASSWORD: [422, 'This is one of the most common passwords. Choose another.'],
  INVALID_LINK: [400, 'This link is not valid, has expired or has already been used. Request a new one.'],
  ALREADY_VERIFIED: [409, 'This e-mail address is already verified.'],
  EMAIL_UNCHANGED: [422, 'This is already your e-mail address.'],
  SIGN_UPS_CLOSED: [
    403,
    'This organization is not open to sign-ups. Ask its administrator for an invitation.',
  ],
  ORG_NOT_FOUND: [404, 'This organization does not exist.'],
  ORG_LOOKUP_FAILED: [503, 'The organization could not be looked up. Try again in a few seconds.'],
  ORG_MISMATCHED: [403, 'This link is for another organization.'],
  DEVELOPER_NOT_FOUND: [404, 'This developer does not exist.'],
  TOKEN_SCOPE: [403, 'This access token does not allow this. Use one with a wider scope.'],
  ACCESS_TOKEN_NOT_FOUND: [404, 'This access token does not exist or was revoked.'],
  TOO_MANY_TOKENS: [422, 'You can have at most 50 access tokens. Revoke one first.'],
  SESSION_NOT_FOUND: [404, 'This session does not exist or has already ended.'],
} as const satisfies Sentences;
