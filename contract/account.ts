import { z } from 'zod';
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
  /** The address a change of e-mail waits for, until its link is followed. */
  pendingEmail: z.string().optional(),
  orgId: z.string(),
  verified: z.boolean(),
  auth2FActivated: z.boolean(),
  /** The organization asks for two-factor authentication, and it is not on yet. */
  auth2FRequired: z.boolean().optional(),
  onboardStates: OnboardStates,
  /** Who is acting as this developer, in a support session. */
  sudoer: z.string().optional(),
  maxProjects: z.number().int(),
  revision,
});
export type Developer = z.output<typeof Developer>;

/** What login answers. The session's secret is in a cookie that scripts cannot read. */
export const LoggedIn = z.object({
  developer: Developer,
  session: z.object({
    /** Seconds it lasts after the last use. */
    ttl: z.number().int(),
    /** When it ends even if used. */
    expiresAt: time,
  }),
});
export type LoggedIn = z.output<typeof LoggedIn>;

export const LoginAnswer = z.union([LoggedIn, z.object({ auth2FToken: z.string() })]);
export type LoginAnswer = z.output<typeof LoginAnswer>;

const hour = { count: 20, windowS: 3600 };

export const signUp = endpoint('signUp', 'POST /developers', {
  summary: 'Creates an account and sends its verification mail. Answers the same for a known e-mail.',
  access: 'public',
  body: z.strictObject({ orgId: z.string().max(64), name: line(100), email, password: passwordNew }),
  reasons: ['ORG_NOT_FOUND', 'SIGN_UPS_CLOSED', 'WEAK_PASSWORD'],
  audit: 'Account {email} signed up',
  limit: hour,
  // Known or not, the answer takes the same time: what differs is done within it.
  answersAfterMs: 100,
});

export const readDeveloper = endpoint('readDeveloper', 'GET /developers/:developerId', {
  summary: 'Reads your own account.',
  access: 'self',
  answer: Developer,
  reasons: ['DEVELOPER_NOT_FOUND'],
});

export const editDeveloper = endpoint('editDeveloper', 'PATCH /developers/:developerId', {
  summary:
    'Changes your name or e-mail, or sets onboarding flags. A new e-mail holds once the link sent to it is followed.',
  access: 'self',
  body: z.strictObject({
    name: line(100).optional(),
    email: email.optional(),
    onboardStates: z.partialRecord(z.enum(onboardFlags), z.union([z.literal(true), time])).optional(),
  }),
  answer: Developer,
  reasons: ['DEVELOPER_NOT_FOUND', 'EMAIL_UNCHANGED', 'NOT_IN_SUDO', 'REAUTH_REQUIRED', 'STALE'],
  audit: 'Account {email} edited',
});

export const startVerification = endpoint('startVerification', 'POST /auth/verification/start', {
  summary: 'Sends the verification mail again. Answers the same whether or not the e-mail has an account.',
  access: 'public',
  body: z.strictObject({ orgId: z.string().max(64), email }),
  audit: 'Verification mail asked for by {email}',
  answersAfterMs: 100,
  limit: hour,
});

export const verify = endpoint('verify', 'POST /auth/verification', {
  summary: 'Proves an e-mail address with the token of the verification link.',
  access: 'public',
  body: z.strictObject({ token }),
  answer: z.object({ email: z.string() }),
  reasons: ['INVALID_LINK', 'ALREADY_VERIFIED'],
  audit: 'E-mail {email} verified',
});

export const logIn = endpoint('logIn', 'POST /auth/password', {
  summary:
    'Signs in with e-mail and password. Answers a two-factor token or a session. In a session it renews the proof of password.',
  access: 'public',
  body: z.strictObject({ email: z.string().max(320), password: passwordGiven, orgId: z.string().max(64) }),
  answer: LoginAnswer,
  reasons: ['LOGIN_FAILED', 'UNVERIFIED_ACCOUNT', 'ACCOUNT_SUSPENDED', 'TOO_MANY_REQUESTS'],
  audit: '{step} as {email}',
  auditRefusals: true,
});

export const logInWithCode = endpoint('logInWithCode', 'POST /auth/auth2F', {
  summary: 'Second step of signing in: a code of the authenticator, or a recovery code.',
  access: 'public',
  body: z.strictObject({
    token,
    code: z.string().max(64).optional(),
    /** One of the ten given when two-factor was turned on; each works once. */
    recoveryCode: z.string().max(64).optional(),
  }),
  answer: LoggedIn,
  reasons: ['INVALID_TOKEN', 'AUTH_CODE_EXCEED_LENGTH', 'AUTH2F_EXPIRED', 'ACCOUNT_SUSPENDED'],
  audit: 'Signed in with a second factor as {email}',
  auditRefusals: true,
});

export const activateAuth2F = endpoint('activateAuth2F', 'POST /auth/activateAuth2F', {
  summary: 'Starts the two-factor set-up: answers the secret and the address to show as a QR code.',
  access: 'login',
  body: z.strictObject({ password: passwordGiven }),
  answer: z.object({ auth2FSecret: z.string(), auth2FUrl: z.string() }),
  reasons: ['WRONG_PASSWORD', 'AUTH2F_ALREADY_ACTIVE', 'NOT_IN_SUDO', 'TOO_MANY_REQUESTS'],
  audit: 'Two-factor set-up started',
  auditRefusals: true,
  notForSudo: true,
});

export const verifyAuth2F = endpoint('verifyAuth2F', 'POST /auth/verifyAuth2F', {
  summary: 'Turns two-factor on with a first code; answers the recovery codes, once.',
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
  audit: 'Two-factor turned on',
  auditRefusals: true,
  notForSudo: true,
});

export const deactivateAuth2F = endpoint('deactivateAuth2F', 'POST /auth/deactivateAuth2F', {
  summary: 'Turns two-factor off.',
  access: 'login',
  body: z.strictObject({ password: passwordGiven }),
  reasons: ['WRONG_PASSWORD', 'AUTH2F_NOT_ACTIVE', 'NOT_IN_SUDO', 'TOO_MANY_REQUESTS'],
  audit: 'Two-factor turned off',
  auditRefusals: true,
  notForSudo: true,
});

export const changePassword = endpoint('changePassword', 'POST /auth/passwordChange', {
  summary: 'Changes the password by proving the old one; ends every other session.',
  access: 'public',
  body: z.strictObject({
    orgId: z.string().max(64),
    email: z.string().max(320),
    oldPassword: passwordGiven,
    newPassword: passwordNew,
  }),
  reasons: [
    'LOGIN_FAILED',
    'ACCOUNT_SUSPENDED',
    'NO_LOGIN',
    'WEAK_PASSWORD',
    'NOT_IN_SUDO',
    'TOO_MANY_REQUESTS',
  ],
  audit: 'Password of {email} changed',
  auditRefusals: true,
  notForSudo: true,
});

export const activate = endpoint('activate', 'POST /auth/activation', {
  summary: 'Accepts an invitation: sets name and password of the new account.',
  access: 'public',
  body: z.strictObject({ token, name: line(100), password: passwordNew }),
  answer: z.object({ email: z.string(), orgId: z.string() }),
  reasons: ['INVALID_LINK', 'WEAK_PASSWORD'],
  audit: 'Account {email} activated',
});

export const startPasswordReset = endpoint('startPasswordReset', 'POST /auth/passwordReset/start', {
  summary: 'Sends a link to set a new password. Answers the same whether or not the e-mail has an account.',
  access: 'public',
  body: z.strictObject({ orgId: z.string().max(64), email }),
  audit: 'Password reset asked for by {email}',
  answersAfterMs: 100,
  limit: hour,
});

export const resetPassword = endpoint('resetPassword', 'POST /auth/passwordReset', {
  summary: 'Sets a new password with the token of the reset link; ends every session.',
  access: 'public',
  body: z.strictObject({ token, newPassword: passwordNew }),
  reasons: ['INVALID_LINK', 'WEAK_PASSWORD'],
  audit: 'Password of {email} reset',
  auditRefusals: true,
});

export const startSudo = endpoint('startSudo', 'POST /auth/sudo', {
  summary: 'Starts a support session with the link an operator made.',
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
  summary: 'Ends the session.',
  access: 'login',
  audit: 'Signed out',
});

export const Session = z.object({
  id: z.string(),
  /** The browser and system, as its user agent tells them. */
  device: z.string(),
  address: z.string(),
  createdAt: time,
  lastUsedAt: time,
  current: z.boolean(),
  sudoer: z.string().optional(),
});
export type Session = z.output<typeof Session>;

export const listSessions = endpoint('listSessions', 'GET /developers/:developerId/sessions', {
  summary: 'Lists where you are signed in.',
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
