import { z } from 'zod';
import { hourS } from '#rules/time/durations.ts';
import { endpoint } from './endpoint.ts';
import { homeRoles } from './home.ts';
import { cursorLike, pagingQuery } from './paging.ts';
import { email, line, nameMax, passwordGiven, revision, time } from './shapes.ts';

export const userStates = ['active', 'unverified', 'suspended'] as const;
export type UserState = (typeof userStates)[number];
/** A language tag (BCP 47), such as `nb-NO`. */
export const language = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/);

/** How a user signs in besides a password. `byou`: through the developer's own back end. */
const methodId = z.string().max(64);

const common = {
  id: z.string(),
  /** Absent for users that a back end brought without an address. */
  email: z.string().optional(),
  name: z.string(),
  /** The id by which the developer's own back end knows the user. */
  externalId: z.string().optional(),
  /** `suspended`; otherwise `unverified` until the e-mail address is verified; otherwise `active`. */
  state: z.enum(userStates),
  verified: z.boolean(),
  suspended: z.boolean(),
  lastSeenAt: time.optional(),
  createdAt: time,
  revision,
};

export const UserRow = z.object({
  ...common,
  /** The first two homes by name. */
  homes: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(homeRoles) })),
  homeCount: z.number().int(),
  deviceCount: z.number().int(),
  /** `password`, `byou`, or the id of a sign-in method. */
  signsInWith: z.array(z.string()),
});
export type UserRow = z.output<typeof UserRow>;

export const User = z.object({
  ...common,
  projectId: z.string(),
  language: z.string().optional(),
  verifiedAt: time.optional(),
  /** The app in which the user registered; absent if a developer or a back end created the account. */
  createdIn: z.string().optional(),
  /** Absent: no password is set. */
  password: z
    .object({
      setAt: time,
      expiresAt: time.optional(),
      /** Set by a developer or a back end: the user has to change it at the first sign-in. */
      isInitial: z.literal(true).optional(),
    })
    .optional(),
  methods: z.array(z.object({ methodId: z.string(), label: z.string(), linkedAt: time })),
  /** Failed sign-ins of the last 30 days. */
  failedSignIns: z.number().int(),
});
export type User = z.output<typeof User>;

export const UserSession = z.object({
  id: z.string(),
  appId: z.string(),
  /** The device name given by the app, or else the user agent. */
  deviceName: z.string(),
  address: z.string(),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  /** Only in the app API: the session of the call. */
  current: z.boolean().optional(),
});
export type UserSession = z.output<typeof UserSession>;

export const UserExport = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  createdAt: time,
  /**
   * Once the export is done: a signed link to a zip file, valid for an hour after each read. The file is kept for 7
   * days.
   */
  url: z.string().optional(),
  sizeBytes: z.number().int().optional(),
});
export type UserExport = z.output<typeof UserExport>;

const inProject = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['USER_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;

export const listUsers = endpoint('listUsers', 'GET /users', {
  summary:
    'Lists the end users of a project. `search` matches name, e-mail address, id and external id. To page deep into a large list, send the `Next-Cursor` header of the previous page as `cursor`.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    projectId: z.string().max(64),
    state: z.enum(userStates).optional(),
    /** `password`, `byou`, or the id of a sign-in method. */
    signsInWith: methodId.optional(),
    ...pagingQuery,
    cursor: cursorLike(
      'eyJvcmRlciI6Im5hbWU6ZmFsc2UiLCJrZXkiOiJhZGEgbG92ZWxhY2UiLCJpZCI6InVzcl8wMWthZzRtOHkyZTZ0dnAwcm03bjRzOWNxZCJ9',
    ),
  }),
  list: { sortBy: ['name', 'createdAt', 'lastSeenAt'], default: 'name:asc' },
  answer: z.array(UserRow),
  reasons: inProject,
  capability: 'canAdmin',
});

export const exportUsers = endpoint('exportUsers', 'GET /projects/:projectId/userExport', {
  summary:
    'Exports all matching end users as CSV or JSON lines, ordered by id. It contains no passwords or tokens; use `exportUser` for everything stored about one user.',
  access: { role: 'developer', of: 'project' },
  query: z.strictObject({
    state: z.enum(userStates).optional(),
    /** `password`, `byou`, or the id of a sign-in method. */
    signsInWith: methodId.optional(),
    search: z.string().max(200).optional(),
    format: z.enum(['jsonl', 'csv']),
  }),
  raw: 'download',
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'ROLE_TOO_LOW'],
  audit: 'Users exported ({which})',
  limit: { count: 60, windowS: hourS },
});

export const UserCounts = z.object({
  active: z.number().int(),
  unverified: z.number().int(),
  suspended: z.number().int(),
});
export type UserCounts = z.output<typeof UserCounts>;

export const readUserCounts = endpoint('readUserCounts', 'GET /projects/:projectId/userCounts', {
  summary: 'Counts the end users of a project by state.',
  access: { role: 'viewer', of: 'project' },
  answer: UserCounts,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
  capability: 'canAdmin',
});

export const createUser = endpoint('createUser', 'POST /users', {
  summary:
    'Creates an end user. With a password, which must be changed at the first sign-in, the e-mail address counts as verified; without one, the user is invited by e-mail to choose a password.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({
    projectId: z.string().max(64),
    email,
    name: line(nameMax, 0).optional(),
    language: language.optional(),
    password: passwordGiven.optional(),
  }),
  answer: User,
  reasons: [
    ...inProject,
    'ROLE_TOO_LOW',
    'EMAIL_TAKEN',
    'PASSWORD_POLICY',
    'WEAK_PASSWORD',
    'EXTERNAL_ACCOUNTS',
  ],
  audit: 'User {email} created',
  makesOld: ['stats', 'userCounts'],
  capability: 'canAdmin',
});

export const readUser = endpoint('readUser', 'GET /users/:userId', {
  summary: 'Retrieves an end user.',
  access: { role: 'viewer', of: 'user' },
  answer: User,
  reasons,
  capability: 'canAdmin',
});

export const editUser = endpoint('editUser', 'PATCH /users/:userId', {
  summary:
    'Updates an end user. Suspending ends all sessions and event streams at once, and refuses new sign-ins.',
  access: { role: 'developer', of: 'user' },
  body: z
    .strictObject({ name: line(nameMax, 0), language: language.nullable(), suspended: z.boolean() })
    .partial(),
  answer: User,
  reasons: changing,
  audit: 'User {id} changed',
  makesOld: ['homes', 'userCounts'],
  capability: 'canAdmin',
});

export const deleteUser = endpoint('deleteUser', 'DELETE /users/:userId', {
  summary:
    'Erases an end user: account, sessions, memberships, and name and address in logs. If the user owns a home, it must be transferred first; send `homes=delete` to delete the homes too.',
  access: { role: 'developer', of: 'user' },
  query: z.strictObject({ homes: z.enum(['delete']).optional() }),
  reasons: [...changing, 'OWNS_HOME'],
  audit: 'User {id} erased',
  makesOld: ['homes', 'stats', 'userCounts', 'devices'],
  capability: 'canAdmin',
});

export const sendUserPasswordReset = endpoint('sendUserPasswordReset', 'POST /users/:userId/passwordReset', {
  summary: 'Sends an end user the e-mail to set a new password.',
  access: { role: 'developer', of: 'user' },
  reasons: [...reasons, 'ROLE_TOO_LOW', 'NO_EMAIL', 'PASSWORD_LOGIN_RESTRICTED'],
  audit: 'Password reset sent to user {id}',
  limit: { count: 60, windowS: hourS },
});

export const listUserSessions = endpoint('listUserSessions', 'GET /users/:userId/sessions', {
  summary: 'Lists the open sessions of an end user.',
  access: { role: 'viewer', of: 'user' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['lastSeenAt'], default: 'lastSeenAt:desc', whole: true },
  answer: z.array(UserSession),
  reasons,
  capability: 'canAdmin',
});

export const endUserSession = endpoint('endUserSession', 'DELETE /users/:userId/sessions/:sessionId', {
  summary: 'Ends one session of an end user.',
  access: { role: 'developer', of: 'user' },
  reasons: [...reasons, 'ROLE_TOO_LOW', 'SESSION_NOT_FOUND'],
  audit: 'A session of user {userId} ended',
  capability: 'canAdmin',
});

export const endUserSessions = endpoint('endUserSessions', 'DELETE /users/:userId/sessions', {
  summary:
    'Signs an end user out everywhere, and takes back invitations to homes and offers of homes that nobody has accepted.',
  access: { role: 'developer', of: 'user' },
  reasons: [...reasons, 'ROLE_TOO_LOW', 'STALE'],
  audit: 'User {id} signed out everywhere',
  capability: 'canAdmin',
});

export const exportUser = endpoint('exportUser', 'POST /users/:userId/exports', {
  summary:
    'Starts an export of everything stored about an end user, including the events of devices since they joined the user’s homes.',
  access: { role: 'developer', of: 'user' },
  answer: UserExport,
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Export of user {userId} started',
  capability: 'canAdmin',
  limit: { count: 60, windowS: hourS },
});

export const readUserExport = endpoint('readUserExport', 'GET /users/:userId/exports/:exportId', {
  summary: 'Retrieves an export and, when it is done, the link to its file.',
  access: { role: 'developer', of: 'user' },
  answer: UserExport,
  reasons: [...reasons, 'ROLE_TOO_LOW', 'EXPORT_NOT_FOUND'],
  capability: 'canAdmin',
});
