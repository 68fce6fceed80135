import type { FastifyRequest } from 'fastify';
import type { AnyEndpoint, AppEndpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { callRates } from '#contract/project.ts';
import type { Found, Ids } from '#server/api/access/access.ts';
import type { AppResource } from '#server/api/access/appResource.ts';
import type { CalledApp, Callers, Door, UserCaller } from '#server/api/endpoints/apiDoor.ts';
import { type Limits, rateOf } from '#server/api/endpoints/limits.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import type { Platform } from '#server/infra/platform.ts';
import { findUserSession, mustLast } from '#server/people/sessions/findUserSession.ts';
import { calledApp } from './calledApp.ts';

/**
 * Calls per second and burst without a session, for each address. Sign-ins have no lower limit: `countGuess` lets the
 * people at an address take turns, which a limit in the order of arrival does not.
 */
const addressRate = { perS: 10, burst: 50 };

interface AppDoorParts {
  resources: Readonly<Record<string, AppResource>>;
  limits: Limits;
}

/** The app API, for end users with the access token of a session in an app. */
export function appDoor(platform: Platform, { resources, limits }: AppDoorParts): Door {
  return {
    traffic: 'appCalls',
    callerOf: (endpoint, request, now) => callerOf(platform, limits, endpoint, { request, now }),
    async recheck({ endpoint, app, endUser, now }, db) {
      if (!app || !endUser || endpoint.access === 'public') return;
      await mustLast(db, { projectId: app.projectId, sessionId: endUser.sessionId, now });
    },
    authorize: (call, ids, { db, lock }) => authorize(call, ids, resources, { db, lock }),
    idempotencyOwner: ({ app, endUser }) => app && endUser && `${app.projectId} ${endUser.id}`,
  };
}

/** Returns the app and the end user of a call, and counts it against their limits. */
export async function callerOf(
  platform: Platform,
  limits: Limits,
  { access }: Pick<AnyEndpoint, 'access'>,
  { request, now }: { request: FastifyRequest; now: Date },
): Promise<Pick<Callers, 'endUser'> & { app: CalledApp }> {
  const { app: named = '' } = request.params as { app?: string };
  const app = await calledApp(platform, named, now);
  const { projectId } = app;
  request.loggedCaller = { projectId, app };
  const endUser = await userOf(platform, app, request, now);
  request.loggedCaller = { projectId, app, endUser };
  const nowMs = now.getTime();
  if (endUser) {
    const rate = rateOf(app.userCallRate, callRates.user);
    limits.take(`${projectId} ${app.id} ${endUser.id}`, rate, nowMs);
  } else limits.takeOfAddress(`${projectId} ${app.id}`, request.ip, addressRate, nowMs);
  // Last: a caller beyond their own limit must not use up the limit that all users of the project share.
  limits.take(`project ${projectId}`, rateOf(app.projectCallRate, callRates.project), nowMs);
  if (access !== 'public' && !endUser) throw new Problem('NO_USER_SESSION');
  return { app, endUser };
}

/** Undefined also if the token has expired, so that a refresh that carries an expired token is still accepted. */
function userOf(
  platform: Platform,
  app: CalledApp,
  { headers }: FastifyRequest,
  now: Date,
): UserCaller | undefined | Promise<UserCaller | undefined> {
  const token = /^Bearer +(\S{1,200})$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  return findUserSession(platform, app, { token, now });
}

async function authorize(
  call: Call,
  ids: Ids,
  resources: AppDoorParts['resources'],
  { db, lock }: { db: Call['db']; lock: boolean },
): Promise<Found | undefined> {
  const { access } = call.endpoint as AppEndpoint;
  if (typeof access !== 'object') return undefined;
  const resource = resources[access.of];
  if (!resource) throw new Error(`No slice finds ${access.of} for users.`);
  const { projectId, orgId, hasRoles } = call.inApp;
  const { user, now } = call;
  const found = await resource.find(db, ids, { projectId, user, hasRoles, lock, now });
  if (!found?.membership.rights.includes('view')) throw new Problem(resource.notFound);
  if (!found.membership.rights.includes(access.right)) throw new Problem('HOME_RIGHT_MISSING');
  // Until the developer activates a home, it can only be viewed and set up.
  if (access.right === 'control' && !found.membership.isActive) throw new Problem('HOME_INACTIVE');
  return { projectId, orgId, role: null, ...found };
}
