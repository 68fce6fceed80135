import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { pagingQuery } from '../paging.ts';
import { email, line, nameMax, passwordGiven, time, token } from '../shapes.ts';
import { language, UserSession } from '../user.ts';

export const Me = z.object({
  id: z.string(),
  email: z.string().optional(),
  name: z.string(),
  language: z.string().optional(),
  verified: z.boolean(),
  /** False: the user signs in with a method, or is brought by the developer's back end. */
  hasPassword: z.boolean(),
  methods: z.array(z.object({ methodId: z.string(), label: z.string(), linkedAt: time })),
  /** A new address that is not confirmed yet. */
  newEmail: z.string().optional(),
  createdAt: time,
});
export type Me = z.output<typeof Me>;

export const Tokens = z.object({
  /** For the header `Authorization: Bearer …`; never put it in a URL. */
  accessToken: z.string(),
  accessExpiresAt: time,
  /** Valid once; each refresh replaces it. */
  refreshToken: z.string(),
  sessionId: z.string(),
  /**
   * Keep it when the session ends, and send it with the next sign-in of the user on this device: then the wrong
   * passwords of others never keep the user out.
   */
  deviceToken: z.string(),
  /** When the session ends, no matter how often it is refreshed. */
  sessionExpiresAt: time,
  user: Me,
});
export type Tokens = z.output<typeof Tokens>;

const deviceName = line(200, 0).optional();
/** The `deviceToken` of an earlier session of the user on this device. Has no effect if it is not valid. */
const deviceToken = z.string().max(200).optional();
const code = z.string().regex(/^\d{6}$/);
/** The proof from an e-mail: the code to type, or the token in its link. */
const proof = { email: email.optional(), code: code.optional(), token: token.optional() };
const passwordReasons = ['PASSWORD_POLICY', 'WEAK_PASSWORD'] as const;

export const register = endpoint('register', 'POST /users', {
  summary:
    'Registers a user and sends the code that verifies the e-mail address. Answers 202 whether or not the address is known. The token of an invitation also verifies the address.',
  access: 'public',
  body: z.strictObject({
    email,
    password: passwordGiven,
    name: line(nameMax, 0).optional(),
    language: language.optional(),
    invitation: token.optional(),
  }),
  accepted: true,
  reasons: [
    ...passwordReasons,
    'REGISTRATION_RESTRICTED',
    'PASSWORD_LOGIN_RESTRICTED',
    'EXTERNAL_ACCOUNTS',
    'INVALID_LINK',
  ],
  audit: 'Registration of {email}',
  limit: { count: 30, windowS: 600 },
  answersAfterMs: 300,
});

export const startVerification = endpoint('startVerification', 'POST /verification/start', {
  summary: 'Sends the verification code again. Answers 202 whether or not the address is known.',
  access: 'public',
  body: z.strictObject({ email }),
  accepted: true,
  audit: null,
  limit: { count: 10, windowS: 600 },
  answersAfterMs: 300,
});

export const verify = endpoint('verify', 'POST /verification', {
  summary:
    'Verifies an e-mail address with `email` and the `code` from the e-mail, or with the `token` of its link. Also confirms a change of the address.',
  access: 'public',
  body: z.strictObject(proof).meta({ examples: [{ email: 'ada@example.com', code: '492817' }] }),
  answer: z.object({ email: z.string() }),
  reasons: ['CODE_WRONG', 'INVALID_LINK', 'EMAIL_TAKEN'],
  audit: 'E-mail address {email} verified',
  auditRefusals: true,
  makesOld: ['users', 'userCounts'],
});

export const startUserPasswordReset = endpoint('startUserPasswordReset', 'POST /passwordReset/start', {
  summary: 'Sends a code and link to set a new password. Answers 202 whether or not the address is known.',
  access: 'public',
  body: z.strictObject({ email }),
  accepted: true,
  reasons: ['PASSWORD_LOGIN_RESTRICTED', 'EXTERNAL_ACCOUNTS'],
  audit: null,
  limit: { count: 10, windowS: 600 },
  answersAfterMs: 300,
});

export const resetUserPassword = endpoint('resetUserPassword', 'POST /passwordReset', {
  summary:
    'Sets a new password with the code or the token from the e-mail, which also verifies the address. Ends all sessions of the user.',
  access: 'public',
  body: z.strictObject({ ...proof, newPassword: passwordGiven }).meta({
    examples: [{ email: 'ada@example.com', code: '492817', newPassword: 'a new horse for the staple' }],
  }),
  reasons: [...passwordReasons, 'CODE_WRONG', 'INVALID_LINK', 'PASSWORD_LOGIN_RESTRICTED'],
  audit: 'Password reset',
  auditRefusals: true,
  makesOld: ['users', 'userCounts'],
});

export const changeUserPassword = endpoint('changeUserPassword', 'POST /passwordChange', {
  summary:
    'Sets a new password, given the old one. Use it after `PASSWORD_EXPIRED`. Ends all other sessions of the user.',
  access: 'public',
  body: z.strictObject({ email, oldPassword: passwordGiven, newPassword: passwordGiven, deviceToken }),
  reasons: [
    ...passwordReasons,
    'LOGIN_FAILED',
    'PASSWORD_LOGIN_RESTRICTED',
    'PASSWORD_UNCHANGED',
    'TOO_MANY_REQUESTS',
  ],
  audit: 'Password changed',
  auditRefusals: true,
  makesOld: ['users'],
});

export const signIn = endpoint('signIn', 'POST /sessions', {
  summary:
    'Signs a user in with e-mail address and password. With the `deviceToken` of an earlier session, wrong passwords that others tried for the account do not delay it.',
  access: 'public',
  body: z.strictObject({ email, password: passwordGiven, deviceName, deviceToken }),
  answer: Tokens,
  reasons: [
    'LOGIN_FAILED',
    'EMAIL_UNVERIFIED',
    'USER_SUSPENDED',
    'PASSWORD_EXPIRED',
    'PASSWORD_LOGIN_RESTRICTED',
    'EXTERNAL_ACCOUNTS',
    'TOO_MANY_REQUESTS',
  ],
  audit: 'Signed in',
  auditRefusals: true,
  makesOld: ['users', 'apps'],
  answersAfterMs: 150,
});

export const refreshSession = endpoint('refreshSession', 'POST /sessions/refresh', {
  summary:
    'Exchanges a refresh token for new tokens. Send an `Idempotency-Key` that you stored first: the same key returns the same new tokens until they are used, however long the phone was offline. A token that was used before ends the session: `TOKEN_REUSED`.',
  access: 'public',
  body: z.strictObject({ refreshToken: token }),
  answer: Tokens,
  reasons: ['SESSION_EXPIRED', 'TOKEN_REUSED', 'USER_SUSPENDED'],
  audit: null,
  ownIdempotency: true,
});

export const startMethodSignIn = endpoint('startMethodSignIn', 'POST /methods/:methodId/start', {
  summary:
    'Starts a sign-in with a provider: open `signInUrl` in a browser. It returns to `redirectUri`, which must be registered with the app, with a `code` for `finishMethodSignIn`, or an `error`. With `link`, it adds the method to the account of the signed-in user instead.',
  access: 'public',
  body: z.strictObject({
    redirectUri: z
      .string()
      .min(1)
      .max(500)
      .meta({ examples: ['https://app.nordlys.example/signed-in'] }),
    /** SHA-256 of the verifier, base64url (PKCE, S256). */
    codeChallenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    /** Returned to `redirectUri` unchanged. */
    state: z.string().max(500).optional(),
    link: z.boolean().optional(),
  }),
  answer: z.object({ signInUrl: z.string(), expiresAt: time }),
  reasons: [
    'USER_AUTH_METHOD_NOT_FOUND',
    'REDIRECT_UNKNOWN',
    'EXTERNAL_ACCOUNTS',
    'PROOF_REQUIRED',
    'NO_USER_SESSION',
    'ISSUER_UNREACHABLE',
    'ISSUER_MISMATCH',
    'ISSUER_UNFIT',
    'ADDRESS_REFUSED',
  ],
  audit: null,
  limit: { count: 60, windowS: 600 },
});

export const finishMethodSignIn = endpoint('finishMethodSignIn', 'POST /methods/:methodId/finish', {
  summary:
    'Exchanges the code of a sign-in with a provider for tokens. The code works once, within 60 seconds. The token of an `invitation` admits a new user where registration is restricted; an invitation to the project leads to the invited account.',
  access: 'public',
  body: z.strictObject({
    code: token,
    codeVerifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/),
    deviceName,
    invitation: token.optional(),
  }),
  answer: Tokens,
  reasons: [
    'CODE_WRONG',
    'USER_SUSPENDED',
    'REGISTRATION_RESTRICTED',
    'EXTERNAL_ACCOUNTS',
    'EMAIL_TAKEN',
    'METHOD_LINKED',
    'INVALID_LINK',
  ],
  audit: 'Signed in by a sign-in method',
  auditRefusals: true,
  makesOld: ['users', 'apps', 'stats', 'userCounts'],
  limit: { count: 100, windowS: 600 },
});

export const signOut = endpoint('signOut', 'DELETE /sessions/current', {
  summary: 'Ends the current session.',
  access: 'user',
  audit: 'Signed out',
  makesOld: ['users', 'apps'],
});

export const listMySessions = endpoint('listMySessions', 'GET /sessions', {
  summary: 'Lists the open sessions of the user in all apps of the project.',
  access: 'user',
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['lastSeenAt'], default: 'lastSeenAt:desc', whole: true },
  answer: z.array(UserSession),
});

export const endMySession = endpoint('endMySession', 'DELETE /sessions/:sessionId', {
  summary: 'Ends one of the user’s sessions.',
  access: 'user',
  reasons: ['SESSION_NOT_FOUND'],
  audit: 'A session ended',
  makesOld: ['users', 'apps'],
});
