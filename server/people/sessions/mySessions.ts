import { endMySession, listMySessions, signOut } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import type { UserSession } from '#contract/user.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { endUserSessions } from './endUserSessions.ts';
import { publishUserSessions } from './userNotices.ts';

interface SessionRow {
  id: string;
  appId: string;
  deviceName: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

/** The open sessions of a user in all apps, last used first; their number is limited, see `startUserSession`. */
export async function sessionsOf(
  db: Db,
  { projectId, userId, now }: { projectId: string; userId: string; now: Date },
): Promise<UserSession[]> {
  const rows = await db.many<SessionRow>(sql`
    select id, app_id as "appId", device_name as "deviceName", address, created_at as "createdAt",
      last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from user_sessions
    where project_id = ${projectId} and user_id = ${userId} and ended_at is null and expires_at > ${now}
    order by last_seen_at desc, id desc`);
  return rows.map(({ createdAt, lastSeenAt, expiresAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** Ends a session of the caller, and announces it after the commit. */
async function endOwn(
  call: Pick<Call, 'db' | 'platform' | 'inApp' | 'user' | 'afterCommit'>,
  { only, reason }: { only: string; reason: 'signedOut' | 'ended' },
): Promise<number> {
  const { db, platform, inApp, user } = call;
  const of = { projectId: inApp.projectId, userId: user.id };
  const ended = await endUserSessions(db, platform, { ...of, only, reason });
  call.afterCommit(() => publishUserSessions(platform, of.projectId, of.userId));
  return ended;
}

export const mySessionRoutes = [
  on(signOut, async call => {
    await endOwn(call, { only: call.user.sessionId, reason: 'signedOut' });
  }),

  on(listMySessions, async ({ db, inApp, user, now, page }) => {
    const all = await sessionsOf(db, { projectId: inApp.projectId, userId: user.id, now });
    const items = (page.descending ? all : all.toReversed())
      .slice(page.skip, page.skip + page.limit)
      .map(session => ({ ...session, current: session.id === user.sessionId }));
    return { items, total: all.length };
  }),

  on(endMySession, async call => {
    const reason = call.params.sessionId === call.user.sessionId ? 'signedOut' : 'ended';
    if (!(await endOwn(call, { only: call.params.sessionId, reason })))
      throw new Problem('SESSION_NOT_FOUND');
  }),
];
