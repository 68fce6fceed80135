import { Problem } from '#contract/problem.ts';
import { bringUser, mintUserSession } from '#contract/service.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { startUserSession } from '#server/people/sessions/startUserSession.ts';
import { findExternalUser } from '#server/people/users/externalUsers.ts';
import { bring } from './bringUser.ts';

/** Users that a developer's own back end creates and signs in. */
export const broughtUsers: Slice = {
  routes: [
    on(bringUser, bring),

    on(mintUserSession, async ({ db, platform, params, body, from, now }) => {
      const { projectId, externalId } = params;
      const user = await findExternalUser(db, projectId, externalId);
      if (!user) throw new Problem('USER_NOT_FOUND');
      if (user.suspended) throw new Problem('USER_SUSPENDED');
      const app = await db.one<{ id: string; userSessionsTtlS: number }>(sql`
        select id, user_sessions_ttl_s as "userSessionsTtlS" from apps
        where project_id = ${projectId} and id = ${body.appId}`);
      if (!app) throw new Problem('APP_NOT_FOUND');
      const { deviceName = '' } = body;
      return startUserSession(db, platform, {
        app: { ...app, projectId },
        user,
        deviceName,
        address: from.address,
        now,
      });
    }),
  ],
};
