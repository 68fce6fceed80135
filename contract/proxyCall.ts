import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { homeId } from './home.ts';
import { ofProxyProject, proxyCallLimit, proxyResources, proxyRouteGiven } from './proxyRoute.ts';
import { time } from './shapes.ts';

/** The maximum size of the body that `sendProxyCall` sends, and of the part of the answer that it returns. */
export const proxyTestBytesMax = 64 * 1024;

export const ProxyRouteFigures = z.object({
  /** The last 24 hours; `medianMs` and `p95Ms` are absent if there were no calls. */
  calls: z.object({ count: z.number().int(), medianMs: z.number().optional(), p95Ms: z.number().optional() }),
  /** The last 24 hours, oldest first, including hours without calls; the time is the beginning of the hour. */
  byHour: z.array(z.object({ hour: time, calls: z.number().int(), failed: z.number().int() })),
  /** Failed calls by reason, and calls that the back end answered with 5xx by status; most frequent first. */
  failed: z.object({
    count: z.number().int(),
    byCode: z.array(z.object({ code: z.string(), count: z.number().int() })),
  }),
  /** The sockets of the process that answers this call. */
  sockets: z.object({
    inUse: z.number().int(),
    max: z.number().int(),
    waiting: z.number().int(),
    waitingMax: z.number().int(),
  }),
});
export type ProxyRouteFigures = z.output<typeof ProxyRouteFigures>;

export const readProxyRouteFigures = endpoint('readProxyRouteFigures', 'GET /proxyRoutes/:routeId/figures', {
  summary: 'Counts the calls of a proxy route, how long they took and how many failed.',
  access: { role: 'viewer', of: 'proxyRoute' },
  answer: ProxyRouteFigures,
  reasons: ['PROXY_ROUTE_NOT_FOUND'],
});

export const ProxyReachability = z.object({
  checkedAt: time,
  /** The addresses that the target's name resolves to; empty if the target cannot be called. */
  addresses: z.array(z.object({ address: z.string(), isPublic: z.boolean() })),
  /** Only for an https target that could be reached. */
  certificate: z
    .object({ subject: z.string(), issuer: z.string(), validUntil: time, daysLeft: z.number().int() })
    .optional(),
  /** Why the target cannot be reached. */
  fault: z.string().optional(),
  /**
   * The circuit breaker in the process that answers this call. `open`: calls are refused until `until`, because half of
   * them failed.
   */
  breaker: z.object({ state: z.enum(['closed', 'open']), until: time.optional() }),
});
export type ProxyReachability = z.output<typeof ProxyReachability>;

export const checkProxyReachability = endpoint(
  'checkProxyReachability',
  'GET /proxyRoutes/:routeId/reachability',
  {
    summary: 'Resolves the target of a proxy route and connects to it, without making a call.',
    access: { role: 'viewer', of: 'proxyRoute' },
    answer: ProxyReachability,
    reasons: ['PROXY_ROUTE_NOT_FOUND'],
    limit: proxyCallLimit,
  },
);

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/);
const headerValue = z
  .string()
  .max(4000)
  .regex(/^[\t -~\u0080-\u00ff]*$/);

/** A call as an end user would make it. */
const asked = {
  projectId: z.string().max(64),
  resource: z.enum(proxyResources),
  method: z.string().regex(/^[A-Z-]{1,20}$/),
  /** The path after `appProxy`, including the query: `/energy/months?year=2026`. */
  path: z.string().max(4000),
  userId: z.string().max(64),
  homeId: homeId.optional(),
  deviceId: z.string().max(64).optional(),
  entityId: z.string().max(130).optional(),
  headers: z
    .array(z.strictObject({ name: headerName, value: headerValue }))
    .max(50)
    .optional(),
};

const asHomeOwner = {
  projectId: 'prj_01kag4m8y2e6tvp0rm7n4s9cqd',
  resource: 'home',
  homeId: '1042',
  userId: 'usr_01kag4m8y2e6tvp0rm7n4s9cqd',
  method: 'POST',
  path: '/devices/hall-7/commands',
};

const Header = z.object({ name: z.string(), value: z.string() });

/** Why a route does or does not match a call. */
export const proxyVerdicts = [
  'takes',
  'shorter',
  'lessSpecific',
  'younger',
  'path',
  'resource',
  'home',
  'deviceClass',
  'entityClass',
  'entity',
  'role',
  'suspended',
] as const;

export const ProxyTest = z.object({
  /** The matching route first, then the others. */
  routes: z.array(
    z.object({
      /** Absent: the draft. */
      routeId: z.string().optional(),
      resource: z.enum(proxyResources),
      sourcePath: z.string(),
      takes: z.boolean(),
      verdict: z.enum(proxyVerdicts),
      text: z.string(),
    }),
  ),
  /** The error that the app would get without the back end being called. */
  refusal: z.object({ reason: z.string(), status: z.number().int(), message: z.string() }).optional(),
  /** The request that would be sent, with its signature truncated. A draft has no signature, because it has no key. */
  sent: z
    .object({ method: z.string(), url: z.string(), headers: z.array(Header), dropped: z.array(z.string()) })
    .optional(),
});
export type ProxyTest = z.output<typeof ProxyTest>;

export const testProxyRoutes = endpoint('testProxyRoutes', 'POST /proxyRoutes/test', {
  summary:
    'Returns which proxy route would handle a call, why no other would, and what the back end would receive. `draft` is an unsaved route that replaces the one given by `draftOf`.',
  access: { role: 'viewer', of: 'project' },
  body: z
    .strictObject({
      ...asked,
      draft: proxyRouteGiven.optional(),
      draftOf: z.string().max(64).optional(),
    })
    .meta({ examples: [asHomeOwner] }),
  answer: ProxyTest,
  reasons: ofProxyProject,
  audit: null,
});

export const ProxyAnswer = z.object({
  routeId: z.string(),
  url: z.string(),
  status: z.number().int(),
  headers: z.array(Header),
  /** The first 64 KiB; base64 if it is not UTF-8. */
  body: z.string(),
  encoding: z.enum(['utf8', 'base64']),
  isTruncated: z.boolean(),
  ms: z.number(),
});
export type ProxyAnswer = z.output<typeof ProxyAnswer>;

export const sendProxyCall = endpoint('sendProxyCall', 'POST /proxyRoutes/send', {
  summary: 'Makes a call through a proxy route as an end user would, with the same checks and headers.',
  access: { role: 'developer', of: 'project' },
  body: z
    .strictObject({ ...asked, body: z.string().max(proxyTestBytesMax).optional() })
    .meta({ examples: [asHomeOwner] }),
  answer: ProxyAnswer,
  reasons: [
    ...ofProxyProject,
    'ROLE_TOO_LOW',
    'USER_NOT_FOUND',
    'USER_SUSPENDED',
    'HOME_NOT_FOUND',
    'DEVICE_NOT_FOUND',
    'ENTITY_NOT_FOUND',
    'HOME_RIGHT_MISSING',
    'HOME_INACTIVE',
    'NO_PROXY_ROUTE',
    'PROXY_PATH_REFUSED',
    'PROXY_UNREACHABLE',
    'PROXY_TIMEOUT',
    'PROXY_LOOP',
    'PROXY_BUSY',
    'PROXY_OPEN',
  ],
  audit: 'Call {method} sent as user {userId} through proxy route {routeId}',
  limit: proxyCallLimit,
});
