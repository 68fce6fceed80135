import type { FastifyInstance } from 'fastify';
import { endpoints } from '#contract/all.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { Resource } from '#server/api/access/access.ts';
import type { Constraints } from '#server/api/endpoints/constraints.ts';
import { Limits } from '#server/api/endpoints/limits.ts';
import { mount } from '#server/api/endpoints/mount.ts';
import type { Route } from '#server/api/endpoints/route.ts';
import { readBodies } from '#server/api/http/body.ts';
import { guard } from '#server/api/http/guard.ts';
import { noSuchCall } from '#server/api/http/noSuchCall.ts';
import { RepeatThrottle } from '#server/infra/pace/repeatThrottle.ts';
import type { Platform } from '#server/infra/platform.ts';
import { developerDoor } from './developerDoor.ts';

const refusalsMs = minuteMs;

export const developerApiPrefix = '/api';

interface ApiParts {
  routes: readonly Route[];
  resources: Readonly<Record<string, Resource>>;
  constraints: Constraints;
}

/** The API of the console, with a session, and of scripts, with an access token. */
export function developerApi(
  api: FastifyInstance,
  platform: Platform,
  { routes, resources, constraints }: ApiParts,
): void {
  readBodies(api);
  guard(api, platform);
  const limits = new Limits(platform.config.rateLimits);
  const refusals = new RepeatThrottle(refusalsMs);
  const door = developerDoor(platform, { resources, limits });
  for (const route of routes) mount(api, route, { platform, door, limits, refusals, constraints });
  noSuchCall(api, endpoints, /^\/api/);
}
