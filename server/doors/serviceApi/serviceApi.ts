import type { FastifyInstance } from 'fastify';
import { serviceEndpoints } from '#contract/all.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { Resource } from '#server/api/access/access.ts';
import type { Constraints } from '#server/api/endpoints/constraints.ts';
import { Limits } from '#server/api/endpoints/limits.ts';
import { mount } from '#server/api/endpoints/mount.ts';
import type { Route } from '#server/api/endpoints/route.ts';
import { readBodies } from '#server/api/http/body.ts';
import { noSuchCall } from '#server/api/http/noSuchCall.ts';
import { logHttpCalls } from '#server/api/httpLog/logHttpCalls.ts';
import { RepeatThrottle } from '#server/infra/pace/repeatThrottle.ts';
import type { Platform } from '#server/infra/platform.ts';
import { countKeyCalls } from './countKeyCalls.ts';
import { serviceDoor } from './serviceDoor.ts';

const refusalsMs = minuteMs;

export const serviceApiPrefix = '/service/v1';

interface ServiceParts {
  routes: readonly Route[];
  resources: Readonly<Record<string, Resource>>;
  constraints: Constraints;
}

/** The API for back ends: the calls that keys may make, with the handlers of the developer API. Refuses browsers. */
export function serviceApi(
  api: FastifyInstance,
  platform: Platform,
  { routes, resources, constraints }: ServiceParts,
): void {
  readBodies(api);
  logHttpCalls(api, platform);
  countKeyCalls(api, platform);
  const limits = new Limits(platform.config.rateLimits);
  const door = serviceDoor(platform, { resources, limits });
  const refusals = new RepeatThrottle(refusalsMs);
  for (const route of routes) mount(api, route, { platform, door, limits, refusals, constraints });
  noSuchCall(api, serviceEndpoints, /^\/service\/v1/);
}
