import { z } from 'zod';
import { endpoint, type TokenScope, tokenScopes } from './endpoint.ts';
import { line, moment, time } from './shapes.ts';

/** Limit per developer. Includes expired tokens that are still shown. */
export const accessTokensMax = 50;
export const accessTokenNameMax = 60;
/** The maximum number of projects that one token can be restricted to. */
export const tokenProjectsMax = 100;
/** The maximum lifetime of a token. */
export const tokenDaysMax = 365;
/** The prefix of every token, so that source code scanners find leaked tokens. */
export const tokenPrefix = 'mor_';

export const tokenScopeSentences: Record<TokenScope, string> = {
  read: 'Reads what viewers of the project can see, except keys. Changes nothing.',
  firmware:
    'Uploads versions, and reads and changes components, bundles, channels and rollouts. Reads classes and devices, but no users, events or logs.',
  all: 'Does everything developers of the project can do, except change the team or your account.',
};

const ProjectNamed = z.object({ id: z.string(), name: z.string() });

export const AccessToken = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(tokenScopes),
  /** The projects the token is restricted to. Absent: all of yours, including ones created later. */
  projects: z.array(ProjectNamed).optional(),
  /** The first characters of the token. */
  start: z.string(),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: time.optional(),
  /** The network address it was last used from. */
  lastUsedFrom: z.string().optional(),
});
export type AccessToken = z.output<typeof AccessToken>;

export const listAccessTokens = endpoint('listAccessTokens', 'GET /developers/:developerId/accessTokens', {
  summary: 'Lists your access tokens, newest first. Expired ones are listed for 30 days.',
  access: 'self',
  answer: z.array(AccessToken),
});

export const createAccessToken = endpoint('createAccessToken', 'POST /developers/:developerId/accessTokens', {
  summary:
    'Creates an access token. Only this response contains the token; the platform stores only its hash.',
  access: 'self',
  body: z.strictObject({
    name: line(accessTokenNameMax),
    scope: z.enum(tokenScopes),
    /** Restricts the token to these projects. Absent: all of yours, including ones created later. */
    projectIds: z.array(z.string().max(64)).min(1).max(tokenProjectsMax).optional(),
    /** At most 365 days ahead. */
    expiresAt: moment,
  }),
  answer: AccessToken.extend({ token: z.string() }),
  reasons: ['TOO_MANY_TOKENS', 'PROJECT_NOT_FOUND'],
  audit: 'Access token {name} created, scope {scope}',
  notForSudo: true,
  reauth: true,
});

export const revokeAccessToken = endpoint(
  'revokeAccessToken',
  'DELETE /developers/:developerId/accessTokens/:tokenId',
  {
    summary: 'Revokes one of your access tokens. Further calls with it are refused.',
    access: 'self',
    reasons: ['ACCESS_TOKEN_NOT_FOUND'],
    audit: 'Access token {name} revoked',
    notForSudo: true,
  },
);

export const OwnAccessToken = AccessToken.extend({
  developer: z.object({ id: z.string(), name: z.string(), email: z.string() }),
});
export type OwnAccessToken = z.output<typeof OwnAccessToken>;

export const readOwnAccessToken = endpoint('readOwnAccessToken', 'GET /accessToken', {
  summary: 'Retrieves the access token used for the call, and its owner.',
  access: 'login',
  tokenScope: 'any',
  answer: OwnAccessToken,
  reasons: ['ACCESS_TOKEN_NOT_FOUND'],
});
