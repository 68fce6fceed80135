import type { LoggedIn, Session as SessionView } from '#contract/account.ts';
import { endSession as endSessionCall, listSessions, logOut } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { sessionMaxS, sessionTtlS, sudoSessionMaxS } from '#rules/time/lifetimes.ts';
import { deviceName } from '#server/accounts/identity/deviceName.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import {
  cookieName,
  cookieOptions,
  endOwnSession,
  endSession,
  hashToken,
  insertSession,
  newToken,
} from '#server/api/sessions/session.ts';
import { publishSessionsChanged } from '#server/api/sessions/sessionNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { type DeveloperRow, dropEmailChangeOf, toDeveloper } from './store.ts';

/** Opens a session and sets its token as a cookie; the browser's previous session ends. */
export async function openSession(call: Call, row: DeveloperRow, sudoer: string | null): Promise<LoggedIn> {
  const { db, now, platform } = call;
  const token = newToken();
  const lifeS = sudoer ? sudoSessionMaxS : sessionMaxS;
  const expiresAt = new Date(now.getTime() + lifeS * 1000);
  const before = call.from.cookies[cookieName(platform)];
  if (before) await endSession(db, hashToken(before));
  const id = platform.newId('ses');
  await insertSession(db, { token, id, developerId: row.id, sudoer, now, expiresAt, from: call.from });
  // The cookie is set only if the session is stored.
  call.afterCommit(() => call.setCookie(cookieName(platform), token, cookieOptions(platform, lifeS)));
  if (before && call.session) publishEnded(call, call.session.developerId);
  if (call.about)
    call.about = { ...call.about, inProjects: true, fields: { ...call.about.fields, step: 'Signed in' } };
  return {
    developer: toDeveloper(row, sudoer),
    session: { ttl: Math.min(sessionTtlS, lifeS), expiresAt: expiresAt.toISOString() },
  };
}

/** Closes the live streams of ended sessions, once the transaction that ends them has committed. */
export function publishEnded(
  { platform, afterCommit }: Pick<Call, 'platform' | 'afterCommit'>,
  developerId: string,
): void {
  afterCommit(() => publishSessionsChanged(platform, developerId));
}

interface SessionRow {
  id: string;
  hash: Buffer;
  createdAt: Date;
  lastUsedAt: Date;
  address: string;
  userAgent: string;
  sudoer: string | null;
}

function toView(row: SessionRow, current: Buffer): SessionView {
  return {
    id: row.id,
    device: deviceName(row.userAgent),
    address: row.address,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    current: row.hash.equals(current),
    ...(row.sudoer && { sudoer: row.sudoer }),
  };
}

export const sessionRoutes = [
  on(logOut, async call => {
    await endSession(call.db, call.me.hash);
    publishEnded(call, call.me.developerId);
    call.setCookie(cookieName(call.platform), '', cookieOptions(call.platform, 0));
  }),

  on(listSessions, async ({ db, me, now }) => {
    const idleSince = new Date(now.getTime() - sessionTtlS * 1000);
    const rows = await db.many<SessionRow>(sql`
      select id, hash, created_at as "createdAt", last_used_at as "lastUsedAt", address, user_agent as "userAgent", sudoer
      from sessions where developer_id = ${me.developerId} and expires_at > ${now} and last_used_at > ${idleSince}
      order by last_used_at desc limit 100`);
    return rows.map(row => toView(row, me.hash));
  }),

  on(endSessionCall, async call => {
    const { db, me, params } = call;
    if (!(await endOwnSession(db, me.developerId, params.sessionId))) throw new Problem('SESSION_NOT_FOUND');
    await dropEmailChangeOf(db, me.developerId, params.sessionId);
    publishEnded(call, me.developerId);
  }),
];
