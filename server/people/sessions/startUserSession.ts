import type { Tokens } from '#contract/appApi/session.ts';
import type { CalledApp } from '#server/api/endpoints/apiDoor.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { deviceTokenOf } from './knownDevice.ts';
import { touchUser } from './touchUser.ts';
import { userForApp } from './userForApp.ts';
import { makeAccessToken, makeRefreshToken } from './userTokens.ts';

/** Maximum number of open sessions of a user; one more ends the one that was unused for the longest time. */
const sessionsMax = 100;

interface Start {
  app: Pick<CalledApp, 'id' | 'projectId' | 'userSessionsTtlS'>;
  user: { id: string };
  deviceName: string;
  address: string;
  now: Date;
}

/** Signs in a user who has proven their identity by any method: creates a session in one app, with its first tokens. */
export async function startUserSession(
  db: Db,
  { newId, sealing }: Pick<Platform, 'newId' | 'sealing'>,
  { app, user, deviceName, address, now }: Start,
): Promise<Tokens> {
  const { projectId } = app;
  const sessionId = newId('uss', now);
  const expiresAt = new Date(now.getTime() + app.userSessionsTtlS * 1000);
  await endSurplus(db, { projectId, userId: user.id, now });
  await db.run(sql`
    insert into user_sessions (project_id, id, user_id, app_id, device_name, address, created_at, proved_at, last_seen_at,
      expires_at)
    values (${projectId}, ${sessionId}, ${user.id}, ${app.id}, ${deviceName}, ${address}, ${now}, ${now}, ${now},
      ${expiresAt})`);
  await touchUser(db, { projectId, id: user.id }, now);
  const session = { projectId, sessionId, expiresAt };
  return {
    ...(await makeAccessToken(db, session, now)),
    refreshToken: await makeRefreshToken(db, session),
    sessionId,
    deviceToken: deviceTokenOf(sealing, { sessionId, userId: user.id }),
    sessionExpiresAt: expiresAt.toISOString(),
    user: await userForApp(db, projectId, user.id),
  };
}

/** No notice is needed, because a session unused for so long is not cached anywhere. */
function endSurplus(
  db: Db,
  { projectId, userId, now }: { projectId: string; userId: string; now: Date },
): Promise<number> {
  return db.run(sql`
    update user_sessions set ended_at = ${now}, end_reason = 'ended'
    where project_id = ${projectId} and ended_at is null and id in (
      select id from user_sessions where project_id = ${projectId} and user_id = ${userId} and ended_at is null
      order by last_seen_at desc, id desc offset ${sessionsMax - 1})`);
}
