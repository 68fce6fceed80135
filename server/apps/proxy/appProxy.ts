import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { type ProxyResource, proxyPrefixes } from '#contract/proxyRoute.ts';
import type { CalledApp, UserCaller } from '#server/api/endpoints/apiDoor.ts';
import { asksForUpgrade } from '#server/api/http/upgrades.ts';
import { splitPath } from '#server/apps/proxyRoutes/composeCall.ts';
import { flushProxyCalls } from '#server/apps/proxyRoutes/countProxyCalls.ts';
import { findSubject, type SubjectIds } from '#server/apps/proxyRoutes/findSubject.ts';
import { endBackEnds } from '#server/apps/proxyRoutes/forward/backEnd.ts';
import { type KnownRoute, knownRoutes } from '#server/apps/proxyRoutes/knownRoutes.ts';
import { type Subject, takingRoute } from '#server/apps/proxyRoutes/matchRoutes.ts';
import type { Platform } from '#server/infra/platform.ts';
import { forwardCall } from './forwardCall.ts';
import { answerPreflight, isPreflight } from './preflight.ts';

/** The caller of a proxy call, and what the call is about. */
export interface Asked {
  app: CalledApp;
  user: UserCaller;
  resource: ProxyResource;
  ids: SubjectIds;
  method: string;
  isUpgrade: boolean;
  /** The path after `appProxy`, and the query with its question mark. */
  path: string;
  query: string;
}

type CallerOf = (request: FastifyRequest, now: Date) => Promise<{ app: CalledApp; user: UserCaller }>;

/** These methods address the proxy itself, or return the request as it was sent. */
const methodsRefused = new Set(['CONNECT', 'TRACE']);

/** Forwards calls of apps to the back ends of their developers. Paths are read exactly as they were sent. */
export function appProxy(api: FastifyInstance, platform: Platform, callerOf: CallerOf): void {
  const methods = METHODS.filter(method => !methodsRefused.has(method));
  api.register(async proxied => {
    for (const method of methods)
      if (!proxied.supportedMethods.includes(method)) proxied.addHttpMethod(method, { hasBody: true });
    proxied.removeAllContentTypeParsers();
    // The body is not parsed: it is read as fast as the back end accepts it.
    proxied.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const [resource, prefix] of Object.entries(proxyPrefixes) as [ProxyResource, string][])
      for (const url of [prefix, `${prefix}/*`])
        proxied.route({
          method: methods as HTTPMethods[],
          url,
          exposeHeadRoute: false,
          config: { takesItsTime: true },
          handler: (request, reply) => answer(platform, callerOf, resource, { request, reply }),
        });
  });
  api.addHook('onClose', async () => {
    await flushProxyCalls(platform);
    await endBackEnds(platform);
  });
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

async function answer(
  platform: Platform,
  callerOf: CallerOf,
  resource: ProxyResource,
  { request, reply }: Exchange,
): Promise<unknown> {
  if (isPreflight(request)) return answerPreflight(request, reply);
  reply.header('access-control-expose-headers', '*');
  try {
    const now = platform.clock();
    const { app, user } = await callerOf(request, now);
    platform.traffic.count(app.projectId, 'proxyCalls');
    const asked = readCall(resource, request, { app, user });
    const { route, subject } = await routeOf(platform, asked, now);
    await forwardCall(platform, { asked, route, subject, now }, { request, reply });
  } catch (error) {
    // The unread rest of the body must not be read as the next request.
    if (!request.raw.complete) reply.header('connection', 'close');
    throw error;
  }
  return reply;
}

const rawPrefixes = Object.fromEntries(
  Object.entries(proxyPrefixes).map(([resource, prefix]) => [
    resource,
    new RegExp(`^/app/v1/[^/?#]+${prefix.replace(/:\w+/g, '[^/?#]+')}(?=[/?]|$)`),
  ]),
) as Record<ProxyResource, RegExp>;

/** Reads the raw URL, because the router decodes it and so changes what was sent. */
function readCall(
  resource: ProxyResource,
  request: FastifyRequest,
  caller: Pick<Asked, 'app' | 'user'>,
): Asked {
  const [found] = rawPrefixes[resource].exec(request.raw.url ?? '') ?? [];
  if (found === undefined) throw new Problem('PROXY_PATH_REFUSED');
  const isUpgrade = asksForUpgrade(request);
  const { app: _, '*': _rest, ...ids } = request.params as Record<string, string>;
  const rest = splitPath((request.raw.url ?? '').slice(found.length));
  return { ...caller, resource, ids, method: request.method, isUpgrade, ...rest };
}

/** The route that accepts a call, after its user's rights were checked. */
async function routeOf(
  platform: Platform,
  asked: Asked,
  now: Date,
): Promise<{ route: KnownRoute; subject: Subject }> {
  const { app, user, resource, ids, method, isUpgrade, path } = asked;
  const asker = { projectId: app.projectId, user, hasRoles: app.hasRoles, now };
  const subject = await findSubject(platform.db, resource, ids, asker, { method, isUpgrade });
  const route = takingRoute(await knownRoutes(platform, app.projectId, now), subject, path);
  if (isUpgrade && !route.webSocket) throw new Problem('PROXY_WEBSOCKET_REFUSED');
  return { route, subject };
}
