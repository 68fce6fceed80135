import type { FastifyInstance } from 'fastify';
import { appEndpoints } from '#contract/appApi/all.ts';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { Constraints } from '#server/api/endpoints/constraints.ts';
import { Limits } from '#server/api/endpoints/limits.ts';
import { mount } from '#server/api/endpoints/mount.ts';
import type { Route } from '#server/api/endpoints/route.ts';
import { anyOrigin } from '#server/api/http/anyOrigin.ts';
import { readBodies } from '#server/api/http/body.ts';
import { noSuchCall } from '#server/api/http/noSuchCall.ts';
import { logHttpCalls } from '#server/api/httpLog/logHttpCalls.ts';
import type { Slice } from '#server/api/slice.ts';
import { appProxy } from '#server/apps/proxy/appProxy.ts';
import { RepeatThrottle } from '#server/infra/pace/repeatThrottle.ts';
import type { Platform } from '#server/infra/platform.ts';
import { appDoor, callerOf } from './appDoor.ts';
import { countAppCalls } from './countAppCalls.ts';

const refusalsMs = minuteMs;

/** Calls to back ends are not part of the app API, but need a signed-in user as well. */
const appProxyCall = { access: 'user' } as const;

export const appApiPrefix = '/app/v1/:app';

/** The API of apps. Browsers may call it from any origin, because it accepts no cookies. */
export function appApi(
  api: FastifyInstance,
  platform: Platform,
  {
    slices,
    routes,
    constraints,
  }: { slices: readonly Slice[]; routes: readonly Route[]; constraints: Constraints },
): void {
  readBodies(api);
  anyOrigin(api);
  logHttpCalls(api, platform);
  countAppCalls(api, platform);
  const limits = new Limits(platform.config.rateLimits);
  const resources = Object.assign({}, ...slices.map(slice => slice.appResources ?? {}));
  const door = appDoor(platform, { resources, limits });
  appProxy(api, platform, async (request, now) => {
    const { app, endUser } = await callerOf(platform, limits, appProxyCall, { request, now });
    if (!endUser) throw new Problem('NO_USER_SESSION');
    return { app, user: endUser };
  });
  const refusals = new RepeatThrottle(refusalsMs);
  for (const route of routes) mount(api, route, { platform, door, limits, refusals, constraints });
  noSuchCall(api, appEndpoints, /^\/app\/v1\/[^/]+/);
}
