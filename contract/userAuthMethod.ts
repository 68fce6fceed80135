import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { line, revision, text, time } from './shapes.ts';

/** A finding about the issuer. `warn` is stored and shown; an error rejects the method. */
export const IssuerFinding = z.object({ level: z.enum(['ok', 'warn']), text: z.string() });
export type IssuerFinding = z.output<typeof IssuerFinding>;

export const UserAuthMethod = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  /** The address the icon was fetched from; empty if none. The console shows the stored copy. */
  iconUrl: z.string(),
  protocol: z.literal('oidc'),
  /** The client secret can be written but never read. */
  config: z.object({ issuer: z.string(), clientId: z.string() }),
  /**
   * True: an e-mail address that the provider calls verified counts as verified, so a user who signs in there gets
   * access to the account with that address.
   */
  trustsEmail: z.boolean(),
  /** The address to register with the provider. */
  redirectUri: z.string(),
  createdAt: time,
  revision,
});
export type UserAuthMethod = z.output<typeof UserAuthMethod>;

/** Limits in characters. */
export const methodMax = {
  label: 100,
  description: 1000,
  url: 2000,
  clientId: 300,
  clientSecret: 2000,
};

const url = z.string().max(methodMax.url);
const methodId = z.string().regex(/^uam_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
const config = {
  issuer: url.min(1),
  clientId: line(methodMax.clientId),
  clientSecret: z.string().min(1).max(methodMax.clientSecret),
};
const reasons = ['USER_AUTH_METHOD_NOT_FOUND', 'NOT_A_MEMBER', 'PROJECT_NOT_FOUND'] as const;
const issuerReasons = ['ADDRESS_REFUSED', 'ISSUER_UNREACHABLE', 'ISSUER_MISMATCH', 'ISSUER_UNFIT'] as const;
/** Each call makes the server send a request to an address chosen by the caller. */
const limit = { count: 60, windowS: 600 };
const Checked = UserAuthMethod.extend({ findings: z.array(IssuerFinding) });

export const listUserAuthMethods = endpoint(
  'listUserAuthMethods',
  'GET /projects/:projectId/userAuthMethods',
  {
    summary: 'Lists the sign-in methods for end users, other than passwords.',
    access: { role: 'viewer', of: 'project' },
    query: z.strictObject(pagingQuery),
    list: { sortBy: ['label', 'createdAt'], default: 'label:asc', whole: true },
    answer: z.array(UserAuthMethod),
    reasons: ['NOT_A_MEMBER', 'PROJECT_NOT_FOUND'],
  },
);

export const readUserAuthSetup = endpoint('readUserAuthSetup', 'GET /projects/:projectId/userAuthSetup', {
  summary:
    'Returns the id that a new method will have, and the redirect URI to register with the provider to get a client id.',
  access: { role: 'viewer', of: 'project' },
  answer: z.object({ methodId: z.string(), redirectUri: z.string() }),
  reasons: ['NOT_A_MEMBER', 'PROJECT_NOT_FOUND'],
});

export const createUserAuthMethod = endpoint(
  'createUserAuthMethod',
  'POST /projects/:projectId/userAuthMethods',
  {
    summary: 'Adds an OpenID Connect provider after checking its discovery document. Returns the findings.',
    access: { role: 'developer', of: 'project' },
    body: z.strictObject({
      /** From `readUserAuthSetup`. */
      id: methodId.optional(),
      label: line(methodMax.label),
      description: text(methodMax.description).optional(),
      iconUrl: url.optional(),
      protocol: z.literal('oidc'),
      config: z.strictObject(config),
      trustsEmail: z.boolean().optional(),
    }),
    answer: Checked,
    reasons: [
      'NOT_A_MEMBER',
      'PROJECT_NOT_FOUND',
      'ROLE_TOO_LOW',
      'TOO_MANY_METHODS',
      'ID_TAKEN',
      'ICON_UNFIT',
      ...issuerReasons,
    ],
    audit: 'Sign-in method {label} added',
    // The id from `readUserAuthSetup` is used up.
    makesOld: ['userAuthSetup'],
    limit,
  },
);

export const readUserAuthMethod = endpoint(
  'readUserAuthMethod',
  'GET /projects/:projectId/userAuthMethods/:methodId',
  {
    summary: 'Retrieves a sign-in method.',
    access: { role: 'viewer', of: 'userAuthMethod' },
    answer: UserAuthMethod,
    reasons,
  },
);

export const readUserAuthIcon = endpoint(
  'readUserAuthIcon',
  'GET /projects/:projectId/userAuthMethods/:methodId/icon',
  {
    summary: 'Returns the icon of a sign-in method, as fetched when its address was saved.',
    access: { role: 'viewer', of: 'userAuthMethod' },
    /** Cache key only: a page that shows the icon reloads it after a change. */
    query: z.strictObject({ revision: z.string().max(10).optional() }),
    raw: 'download',
    reasons: [...reasons, 'RESOURCE_NOT_FOUND'],
  },
);

export const editUserAuthMethod = endpoint(
  'editUserAuthMethod',
  'PATCH /projects/:projectId/userAuthMethods/:methodId',
  {
    summary:
      'Updates a sign-in method. If you send an issuer, it is checked again and the findings are returned. A different issuer also needs its client secret, and is refused while users sign in with the present one.',
    access: { role: 'developer', of: 'userAuthMethod' },
    body: z
      .strictObject({
        label: line(methodMax.label),
        description: text(methodMax.description),
        iconUrl: url,
        config: z.strictObject(config).partial(),
        trustsEmail: z.boolean(),
      })
      .partial(),
    answer: Checked,
    reasons: [...reasons, 'ROLE_TOO_LOW', 'STALE', 'ICON_UNFIT', 'ISSUER_IN_USE', ...issuerReasons],
    audit: 'Sign-in method {label} updated',
    limit,
  },
);

export const deleteUserAuthMethod = endpoint(
  'deleteUserAuthMethod',
  'DELETE /projects/:projectId/userAuthMethods/:methodId',
  {
    summary: 'Deletes a sign-in method.',
    access: { role: 'developer', of: 'userAuthMethod' },
    reasons: [...reasons, 'ROLE_TOO_LOW', 'STALE'],
    audit: 'Sign-in method {label} deleted',
  },
);

export const startUserAuthTest = endpoint(
  'startUserAuthTest',
  'POST /projects/:projectId/userAuthMethods/:methodId/tests',
  {
    summary: 'Starts a test sign-in. Returns the provider’s URL to open and the id of the test.',
    access: { role: 'developer', of: 'userAuthMethod' },
    answer: z.object({ testId: z.string(), signInUrl: z.string() }),
    reasons: [...reasons, 'ROLE_TOO_LOW', ...issuerReasons],
    audit: 'Test sign-in with {label} started',
    limit,
  },
);

export const UserAuthTest = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'done', 'failed']),
  /** The claims of the provider about the user. */
  claims: z.record(z.string(), z.unknown()).optional(),
  fault: z.string().optional(),
});
export type UserAuthTest = z.output<typeof UserAuthTest>;

export const readUserAuthTest = endpoint(
  'readUserAuthTest',
  'GET /projects/:projectId/userAuthMethods/:methodId/tests/:testId',
  {
    summary: 'Retrieves the outcome of a test sign-in.',
    access: { role: 'developer', of: 'userAuthMethod' },
    answer: UserAuthTest,
    reasons: [...reasons, 'ROLE_TOO_LOW', 'TEST_NOT_FOUND'],
  },
);

const returned = z.object({
  state: z
    .string()
    .max(512)
    .meta({ examples: ['h7Kp2Vx9Rm4Tc8Qz'] })
    .optional(),
  code: z.string().max(4096).optional(),
  error: z.string().max(200).optional(),
  error_description: z
    .string()
    .max(2000)
    .meta({ examples: ['The user denied access.'] })
    .optional(),
  iss: z
    .string()
    .max(2000)
    .meta({ examples: ['https://login.nordlys.example'] })
    .optional(),
});

export const finishUserAuth = endpoint('finishUserAuth', 'GET /userAuth/callback/:methodId', {
  summary:
    'Receives the redirect from the provider of a method and continues the sign-in. Each method has its own address, so one provider cannot answer in place of another.',
  access: 'public',
  query: returned,
  raw: 'redirect',
  reasons: ['INVALID_LINK'],
});

export const finishSharedUserAuth = endpoint('finishSharedUserAuth', 'GET /userAuth/callback', {
  summary: 'The same for methods added before each one had its own address.',
  access: 'public',
  query: returned,
  raw: 'redirect',
  reasons: ['INVALID_LINK'],
});
