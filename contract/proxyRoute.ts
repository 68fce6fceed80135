import { z } from 'zod';
import { isSourcePath, sourcePathMax } from '#rules/apps/proxyPaths.ts';
import { idMax } from '#rules/chosenId.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { signingKeyGrace } from '#rules/time/lifetimes.ts';
import { endpoint } from './endpoint.ts';
import { homeRoles } from './home.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, revision, text, time } from './shapes.ts';

/** The resources that the calls of a route can be about. */
export const proxyResources = ['project', 'home', 'user', 'device', 'entity'] as const;
export type ProxyResource = (typeof proxyResources)[number];

/** The paths that apps call, below `/app/v1/{appId}@{projectId}`. The rest of the path is matched to a route. */
export const proxyPrefixes = {
  project: '/projects/:projectId/appProxy',
  home: '/homes/:homeId/appProxy',
  user: '/users/:userId/appProxy',
  device: '/devices/:deviceId/appProxy',
  entity: '/projects/:projectId/entities/:entityId/appProxy',
} as const satisfies Record<ProxyResource, string>;

/** HMAC with a secret shared with the back end, or Ed25519 with a public key that anybody may read. */
export const signatureAlgorithms = ['hmac-sha256', 'ed25519'] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

export const proxyRoutesMax = 200;
export const targetUrlMax = 1000;
/** The maximum number of ids or classes of each kind that a route can be limited to. */
export const proxyFilterMax = 200;
/** The default roles that may call a route of homes, devices or entities: all but guests. */
export const proxyRolesDefault = ['member', 'admin', 'owner'] as const;
/** How long bodies are recorded, in minutes. */
export const proxyWatch = { defaultMinutes: 5, maxMinutes: 60 };
/** Concurrent calls per route in each process of the platform, and the number of calls that can wait for a socket. */
export const proxySockets = { max: 64, waitingMax: 128 };
/** How much of both a single user, and the users of a single home together, can take. */
export const proxyShares = { user: 1 / 4, home: 1 / 2 };
/** The maximum size of the body of a call. */
export const proxyBodyBytesMax = 10 * 1024 * 1024;
/**
 * How long a call waits for the body that its app sends: at first, in addition for what arrives at the least rate, and
 * in total. Time in which the back end does not accept more does not count.
 */
export const proxyBodyPace = { graceMs: 30_000, bytesPerSMin: 4096, totalMs: 10 * minuteMs };

const keyFields = { keyId: z.string(), algorithm: z.enum(signatureAlgorithms) };

export const ProxyRoute = z.object({
  id: z.string(),
  projectId: z.string(),
  resource: z.enum(proxyResources),
  sourcePath: z.string(),
  /** The part of a call's path after the source path is appended to this URL. */
  targetUrl: z.string(),
  description: z.string(),
  /** True: the route accepts no calls. */
  suspended: z.boolean(),
  /** Limits the route to these; empty: no limit. Each kind applies to its own resource. */
  homeIds: z.array(z.number().int()),
  deviceClasses: z.array(z.string()),
  entityClasses: z.array(z.string()),
  entityIds: z.array(z.string()),
  /** The roles of home members that may call the route. No effect on the resources `project` and `user`. */
  homeRoles: z.array(z.enum(homeRoles)),
  webSocket: z.boolean(),
  /** The key that calls are signed with, and the previous one while it is still used as well. */
  signing: z.object({
    ...keyFields,
    createdAt: time,
    previous: z.object({ ...keyFields, until: time }).optional(),
  }),
  /** Until then, the bodies of the route's calls are recorded in the HTTP log. */
  watchedUntil: time.optional(),
  createdAt: time,
  createdBy: z.string(),
  revision,
});
export type ProxyRoute = z.output<typeof ProxyRoute>;

/** A route with its calls in the last 24 hours, and how many of them failed. */
export const ProxyRouteRow = ProxyRoute.extend({
  calls: z.number().int(),
  failedCalls: z.number().int(),
});
export type ProxyRouteRow = z.output<typeof ProxyRouteRow>;

const some = <T extends z.ZodType>(one: T) => z.array(one).max(proxyFilterMax);
const fields = {
  resource: z.enum(proxyResources),
  /** Begins with a slash and does not end with one: `/energy`; `/` matches all paths. */
  sourcePath: z.string().min(1).max(sourcePathMax).refine(isSourcePath),
  targetUrl: z.string().min(1).max(targetUrlMax),
  description: text(descriptionMax),
  suspended: z.boolean(),
  homeIds: some(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)),
  deviceClasses: some(z.string().min(1).max(idMax)),
  entityClasses: some(z.string().min(1).max(64)),
  /** Device id, colon, entity name. */
  entityIds: some(
    z
      .string()
      .max(130)
      .regex(/^[\w-]{1,64}:[\w-]{1,63}$/),
  ),
  homeRoles: z.array(z.enum(homeRoles)).min(1).max(homeRoles.length),
  webSocket: z.boolean(),
};
/** A route to be created, or an unsaved draft. */
export const proxyRouteGiven = z
  .strictObject(fields)
  .partial()
  .required({ resource: true, sourcePath: true, targetUrl: true });

export const ofProxyProject = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['PROXY_ROUTE_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;
const unfit = ['ADDRESS_REFUSED', 'PROXY_FILTER_UNFIT'] as const;
/** Each call makes the server look up or call an address chosen by the caller. */
export const proxyCallLimit = { count: 120, windowS: 600 };

export const listProxyRoutes = endpoint('listProxyRoutes', 'GET /proxyRoutes', {
  summary: 'Lists the proxy routes of a project, through which its apps call your back ends.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    projectId: z.string().max(64),
    resource: z.enum(proxyResources).optional(),
    ...pagingQuery,
  }),
  list: { sortBy: ['sourcePath', 'resource', 'targetUrl', 'createdAt'], default: 'sourcePath:asc' },
  answer: z.array(ProxyRouteRow),
  reasons: ofProxyProject,
});

export const createProxyRoute = endpoint('createProxyRoute', 'POST /proxyRoutes', {
  summary:
    'Creates a proxy route. By default, it forwards calls by all roles of a home except guests, signs them with a key of the route, and does not allow WebSockets.',
  access: { role: 'developer', of: 'project' },
  body: proxyRouteGiven.extend({
    projectId: z.string().max(64),
    algorithm: z.enum(signatureAlgorithms).optional(),
  }),
  answer: ProxyRoute,
  reasons: [...ofProxyProject, 'ROLE_TOO_LOW', 'TOO_MANY_PROXY_ROUTES', ...unfit],
  audit: 'Proxy route {sourcePath} of resource {resource} created',
  limit: proxyCallLimit,
});

export const readProxyRoute = endpoint('readProxyRoute', 'GET /proxyRoutes/:routeId', {
  summary: 'Retrieves a proxy route.',
  access: { role: 'viewer', of: 'proxyRoute' },
  answer: ProxyRoute,
  reasons,
});

export const editProxyRoute = endpoint('editProxyRoute', 'PATCH /proxyRoutes/:routeId', {
  summary: 'Updates a proxy route. The change applies from the next call.',
  access: { role: 'developer', of: 'proxyRoute' },
  body: z.strictObject(fields).partial(),
  answer: ProxyRoute,
  reasons: [...changing, ...unfit],
  audit: 'Proxy route {sourcePath} changed',
  limit: proxyCallLimit,
});

export const deleteProxyRoute = endpoint('deleteProxyRoute', 'DELETE /proxyRoutes/:routeId', {
  summary:
    'Deletes a proxy route and its keys. Open streams and WebSockets through it end within half a minute.',
  access: { role: 'developer', of: 'proxyRoute' },
  reasons: changing,
  audit: 'Proxy route {sourcePath} deleted',
});

const ShownKey = z.object({
  ...keyFields,
  /** Only for HMAC: the UTF-8 bytes of the secret are the key. */
  secret: z.string().optional(),
  /** Only for Ed25519, as PEM. */
  publicKey: z.string().optional(),
});

export const readSigningKey = endpoint('readSigningKey', 'GET /proxyRoutes/:routeId/signingKey', {
  summary: 'Shows the key that a back end uses to verify calls: an HMAC secret or an Ed25519 public key.',
  access: { role: 'developer', of: 'proxyRoute' },
  answer: ShownKey.extend({ previous: ShownKey.extend({ until: time }).optional() }),
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Signing key of proxy route {sourcePath} shown',
});

export const rotateSigningKey = endpoint('rotateSigningKey', 'POST /proxyRoutes/:routeId/signingKey', {
  summary:
    'Gives a proxy route a new signing key. Calls are also signed with the previous one for `graceS` seconds, a day by default; 0 ends it at once.',
  access: { role: 'developer', of: 'proxyRoute' },
  body: z.strictObject({
    graceS: z.number().int().min(0).max(signingKeyGrace.maxS).optional(),
    algorithm: z.enum(signatureAlgorithms).optional(),
  }),
  answer: ProxyRoute,
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Signing key of proxy route {sourcePath} rotated',
  makesOld: ['proxyRoutes'],
});

export const endPreviousSigningKey = endpoint(
  'endPreviousSigningKey',
  'DELETE /proxyRoutes/:routeId/previousSigningKey',
  {
    summary: 'Ends the previous signing key of a proxy route at once.',
    access: { role: 'developer', of: 'proxyRoute' },
    answer: ProxyRoute,
    reasons: [...changing, 'NO_PREVIOUS_SECRET'],
    audit: 'Previous signing key of proxy route {sourcePath} ended',
    makesOld: ['proxyRoutes'],
  },
);

export const watchProxyRoute = endpoint('watchProxyRoute', 'POST /proxyRoutes/:routeId/watch', {
  summary:
    'Records the headers and bodies of calls through a proxy route in the HTTP log for a few minutes, five by default.',
  access: { role: 'developer', of: 'proxyRoute' },
  body: z.strictObject({ minutes: z.number().int().min(1).max(proxyWatch.maxMinutes).optional() }),
  answer: ProxyRoute,
  reasons: [...reasons, 'ROLE_TOO_LOW'],
  audit: 'Bodies of proxy route {sourcePath} are recorded until {watchedUntil}',
  makesOld: ['proxyRoutes'],
});

export const unwatchProxyRoute = endpoint('unwatchProxyRoute', 'DELETE /proxyRoutes/:routeId/watch', {
  summary: 'Ends the recording of headers and bodies.',
  access: { role: 'developer', of: 'proxyRoute' },
  answer: ProxyRoute,
  reasons: changing,
  audit: 'Bodies of proxy route {sourcePath} are no longer recorded',
  makesOld: ['proxyRoutes'],
});
