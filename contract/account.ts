import { z } from 'zod';
import { hourS } from '#rules/time/durations.ts';
import { endpoint } from './endpoint.ts';
import { email, line, passwordGiven, passwordNew, revision, time, token } from './shapes.ts';

export const onboardFlags = [
  'started',
  'skipped',
  'entered_devices',
  'entered_apps',
  'entered_users',
  'entered_smart_modules',
  'launched_dev_sim',
  'launched_app_sim',
] as const;

/** Each flag with the time it was first set. */
export const OnboardStates = z.partialRecord(z.enum(onboardFlags), time);

export const Developer = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** The new e-mail address, until the link sent to it is followed. */
  pendingEmail: z.string().optional(),
  orgId: z.string(),
  verified: z.boolean(),
  auth2FActivated: z.boolean(),
  /** The organization requires two-factor authentication, whether or not it is on yet. */
  auth2FRequired: z.boolean().optional(),
  onboardStates: OnboardStates,
  /** The support agent acting as this developer, in a support session. */
  sudoer: z.string().optional(),
  maxProjects: z.number().int(),
  revision,
});
export type Developer = z.output<typeof Developer>;

/** The answer to a sign-in. The session secret is in a cookie that scripts cannot read. */
export const LoggedIn = z.object({
  developer: Developer,
  session: z.object({
    /** Seconds the session lasts after its last use. */
    ttl: z.number().int(),
    /** When the session ends, even if it is in use. */
    expiresAt: time,
  }),
});
export type LoggedIn = z.output<typeof LoggedIn>;

export const LoginAnswer = z.union([LoggedIn, z.object({ auth2FToken: z.string() })]);
export type LoginAnswer = z.output<typeof LoginAnswer>;

/** The maximum length of a person's name, in characters. */
export const personNameMax = 100;

const hour = { count: 20, windowS: hourS };

export const signUp = endpoint('signUp', 'POST /developers', {
  summary:
    'Creates an account and sends a verification e-mail. The response is the same if the address already has an account.',
  access: 'public',
  body: z.strictObject({
    orgId: z.string().max(64),
    name: line(personNameMax),
    email,
    password: passwordNew,
  }),
  reasons: ['ORG_NOT_FOUND', 'SIGN_UPS_CLOSED', 'WEAK_PASSWORD'],
  audit: 'Account {email} signed up',
  limit: hour,
  // The answer takes the same time whether or not the address has an account: both paths wait for the same
  // deadline.
  answersAfterMs: 100,
});

export const readDeveloper = endpoint('readDeveloper', 'GET /developers/:developerId', {
  summary: 'Retrieves your account.',
  access: 'self',
  answer: Developer,
  reasons: ['DEVELOPER_NOT_FOUND'],
});

export const editDeveloper = endpoint('editDeveloper', 'PATCH /developers/:developerId', {
  summary:
    'Updates your name or e-mail address, or sets onboarding flags. A new address takes effect when you follow the link sent to it.',
  access: 'self',
  body: z.strictObject({
    name: line(personNameMax).optional(),
    email: email.optional(),
    onboardStates: z.partialRecord(z.enum(onboardFlags), z.union([z.literal(true), time])).optional(),
  }),
  answer: Developer,
  reasons: ['DEVELOPER_NOT_FOUND', 'EMAIL_UNCHANGED', 'NOT_IN_SUDO', 'REAUTH_REQUIRED', 'STALE'],
  audit: 'Account {email} updated',
});

export const startVerification = endpoint('startVerification', 'POST /auth/verification/start', {
  summary:
    'Sends the verification e-mail again. The response is the same whether or not the address has an account.',
  access: 'public',
  body: z.strictObject({ orgId: z.string().max(64), email }),
  audit: 'Verification e-mail requested by {email}',
  answersAfterMs: 100,
  limit: hour,
});

export const verify = endpoint('verify', 'POST /auth/verification', {
  summary:
    'Verifies an e-mail address with the token from the verification link. Also returns a session if the call comes from the browser that signed up.',
  access: 'public',
  body: z.strictObject({ token }),
  /** Includes a session if the link is opened in the browser that signed up. */
  answer: LoggedIn.partial().extend({ email: z.string() }),
  reasons: ['INVALID_LINK', 'ALREADY_VERIFIED'],
  audit: 'E-mail {email} verified',
  makesOld: ['developers', 'projects'],
});

export const logIn = endpoint('logIn', 'POST /auth/password', {
  summary:
    'Signs in with e-mail and password. Returns a session, or a token for the two-factor step. Within a session, confirms your password again.',
  access: 'public',
  body: z.strictObject({ email: z.string().max(320), password: passwordGiven, orgId: z.string().max(64) }),
  answer: LoginAnswer,
  reasons: [
    'LOGIN_FAILED',
    'LOGIN_ORG_MISMATCH',
    'UNVERIFIED_ACCOUNT',
    'ACCOUNT_SUSPENDED',
    'TOO_MANY_REQUESTS',
  ],
  audit: '{step} as {email}',
  auditRefusals: true,
});

export const logInWithCode = endpoint('logInWithCode', 'POST /auth/auth2F', {
  summary: 'Completes a two-factor sign-in with a code from your authenticator app or a recovery code.',
  access: 'public',
  body: z.strictObject({
    token,
    code: z.string().max(64).optional(),
    /** One of the ten codes issued when two-factor authentication was turned on; each works once. */
    recoveryCode: z.string().max(64).optional(),
  }),
  answer: LoggedIn,
  reasons: ['INVALID_TOKEN', 'AUTH_CODE_EXCEED_LENGTH', 'AUTH2F_EXPIRED', 'ACCOUNT_SUSPENDED'],
  audit: 'Signed in with two-factor authentication as {email}',
  auditRefusals: true,
});

export const activateAuth2F = endpoint('activateAuth2F', 'POST /auth/activateAuth2F', {
  summary: 'Starts two-factor setup. Returns the secret and the URL to show as a QR code.',
  access: 'login',
  body: z.strictObject({ password: passwordGiven }),
  answer: z.object({ auth2FSecret: z.string(), auth2FUrl: z.string() }),
  reasons: ['WRONG_PASSWORD', 'AUTH2F_ALREADY_ACTIVE', 'NOT_IN_SUDO', 'TOO_MANY_REQUESTS'],
  audit: 'Two-factor setup started',
  auditRefusals: true,
  notForSudo: true,
});

export const verifyAuth2F = endpoint('verifyAuth2F', 'POST /auth/verifyAuth2F', {
  summary:
    'Turns on two-factor authentication with a first code. Returns the recovery codes, which are shown only once.',
  access: 'login',
  body: z.strictObject({ code: z.string().max(64) }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  reasons: [
    'INVALID_TOKEN',
    'AUTH_CODE_EXCEED_LENGTH',
    'AUTH2F_NOT_STARTED',
    'AUTH2F_ALREADY_ACTIVE',
    'NOT_IN_SUDO',
    'TOO_MANY_REQUESTS',
  ],
  audit: 'Two-factor authentication turned on',
  makesOld: ['developers'],
  auditRefusals: true,
  notForSudo: true,
});

export const deactivateAuth2F = endpoint('deactivateAuth2F', 'POST /auth/deactivateAuth2F', {
  summary: 'Turns off two-factor authentication.',
  access: 'login',
  body: z.strictObject({ password: passwordGiven }),
  reasons: ['WRONG_PASSWORD', 'AUTH2F_NOT_ACTIVE', 'NOT_IN_SUDO', 'TOO_MANY_REQUESTS'],
  audit: 'Two-factor authentication turned off',
  makesOld: ['developers'],
  auditRefusals: true,
  notForSudo: true,
});

export const changePassword = endpoint('changePassword', 'POST /auth/passwordChange', {
  summary: 'Changes your password, given the current one, and ends all your other sessions.',
  access: 'public',
  body: z.strictObject({
    orgId: z.string().max(64),
    email: z.string().max(320),
    oldPassword: passwordGiven,
    newPassword: passwordNew,
    /** Also revokes all your access tokens. */
    revokeTokens: z.boolean().optional(),
  }),
  reasons: [
    'LOGIN_FAILED',
    'LOGIN_ORG_MISMATCH',
    'WRONG_PASSWORD',
    'ACCOUNT_SUSPENDED',
    'NO_LOGIN',
    'WEAK_PASSWORD',
    'NOT_IN_SUDO',
    'TOO_MANY_REQUESTS',
  ],
  audit: 'Password of {email} changed',
  makesOld: ['sessions', 'accessTokens'],
  auditRefusals: true,
  notForSudo: true,
});

export const activate = endpoint('activate', 'POST /auth/activation', {
  summary: 'Accepts an invitation by setting the name and password of the new account.',
  access: 'public',
  body: z.strictObject({ token, name: line(personNameMax), password: passwordNew }),
  answer: z.object({ email: z.string(), orgId: z.string() }),
  reasons: ['INVALID_LINK', 'WEAK_PASSWORD'],
  audit: 'Account {email} activated',
});

export const startPasswordReset = endpoint('startPasswordReset', 'POST /auth/passwordReset/start', {
  summary: 'Sends a password reset link. The response is the same whether or not the address has an account.',
  access: 'public',
  body: z.strictObject({ orgId: z.string().max(64), email }),
  audit: 'Password reset requested by {email}',
  answersAfterMs: 100,
  limit: hour,
});

export const resetPassword = endpoint('resetPassword', 'POST /auth/passwordReset', {
  summary:
    'Sets a new password with the token from the reset link, ends all sessions and revokes all access tokens.',
  access: 'public',
  body: z.strictObject({ token, newPassword: passwordNew }),
  reasons: ['INVALID_LINK', 'WEAK_PASSWORD'],
  audit: 'Password of {email} reset',
  auditRefusals: true,
});

export const startSudo = endpoint('startSudo', 'POST /auth/sudo', {
  summary: 'Starts a support session from a link created by an operator.',
  access: 'public',
  body: z.strictObject({
    sudoer: z.string().max(320),
    orgId: z.string().max(64),
    email: z.string().max(320),
    token,
  }),
  answer: LoggedIn,
  reasons: ['INVALID_LINK', 'ORG_MISMATCHED'],
  audit: 'Support session of {sudoer} as {email} started',
  auditRefusals: true,
});

export const logOut = endpoint('logOut', 'DELETE /auth', {
  summary: 'Signs out and ends the session.',
  access: 'login',
  audit: 'Signed out',
});

export const Session = z.object({
  id: z.string(),
  /** Browser and operating system, read from the user agent. */
  device: z.string(),
  address: z.string(),
  createdAt: time,
  lastUsedAt: time,
  current: z.boolean(),
  sudoer: z.string().optional(),
});
export type Session = z.output<typeof Session>;

export const listSessions = endpoint('listSessions', 'GET /developers/:developerId/sessions', {
  summary: 'Lists your active sessions.',
  access: 'self',
  answer: z.array(Session),
});

export const endSession = endpoint('endSession', 'DELETE /developers/:developerId/sessions/:sessionId', {
  summary: 'Ends one of your sessions.',
  access: 'self',
  reasons: ['SESSION_NOT_FOUND', 'NOT_IN_SUDO'],
  audit: 'Session ended',
  notForSudo: true,
});
