import type { Endpoint } from '#contract/endpoint.ts';
import { checkAccess, type Resource } from '#server/api/access/access.ts';
import type { Door } from '#server/api/endpoints/apiDoor.ts';
import { callerOf } from '#server/api/endpoints/caller.ts';
import type { Limits } from '#server/api/endpoints/limits.ts';
import { confirmSession } from '#server/api/sessions/confirmSession.ts';
import { recheckSession } from '#server/api/sessions/recheckSession.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

/** The developer API: its callers are developers, with a session cookie or an access token. */
export function developerDoor(
  platform: Platform,
  { resources, limits }: { resources: Readonly<Record<string, Resource>>; limits: Limits },
): Door {
  return {
    traffic: 'apiCalls',
    async callerOf(endpoint, request, now) {
      return { session: await callerOf(endpoint as Endpoint, request, { platform, limits, now }) };
    },
    recheck: ({ endpoint, session, now }, db) =>
      session && endpoint.access !== 'public' ? recheckSession(db, session, now) : Promise.resolve(),
    authorize: ({ endpoint, session, now }, ids, { db, lock }) => {
      const check = (on: Db) =>
        checkAccess(endpoint as Endpoint, session, ids, { db: on, lock, resources, now });
      return session?.isRemembered ? confirmSession(platform, { session, now, db }, check) : check(db);
    },
    idempotencyOwner: ({ session }) => session?.developerId,
  };
}
