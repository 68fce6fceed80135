import type { LoggedIn, Session as SessionView } from '#contract/account.ts';
import { endSession, listSessions, logOut } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { type Call, on } from '#server/endpoints/route.ts';
import {
  cookieName,
  cookieOptions,
  hashToken,
  newToken,
  sessionMaxS,
  sessionTtlS,
  sudoSessionMaxS,
} from '#server/http/session.ts';
import { deviceName } from './deviceName.ts';
import { type DeveloperRow, toDeveloper } from './store.ts';

/** Opens a session and hands its token to the browser as a cookie; the one the browser had before ends. */
export async function openSession(call: Call, row: DeveloperRow, sudoer: string | null): Promise<LoggedIn> {
  const { db, now, platform } = call;
  const token = newToken();
  const lifeS = sudoer ? sudoSessionMaxS : sessionMaxS;
  const expiresAt = new Date(now.getTime() + lifeS * 1000);
  const before = call.from.cookies[cookieName(platform)];
  if (before) await db.run(sql`delete from sessions where hash = ${hashToken(before)}`);
  await db.run(sql`
    insert into sessions
      (hash, id, developer_id, created_at, last_used_at, expires_at, proved_at, address, user_agent, sudoer)
    values (${hashToken(token)}, ${platform.newId('ses')}, ${row.id}, ${now}, ${now}, ${expiresAt}, ${now},
      ${call.from.address}, ${call.from.userAgent}, ${sudoer})`);
  // A session that is not kept after all has no cookie.
  call.whenKept(() => call.setCookie(cookieName(platform), token, cookieOptions(platform, lifeS)));
  if (call.about)
    call.about = { ...call.about, inProjects: true, fields: { ...call.about.fields, step: 'Signed in' } };
  return {
    developer: toDeveloper(row, sudoer),
    session: { ttl: Math.min(sessionTtlS, lifeS), expiresAt: expiresAt.toISOString() },
  };
}

/** Ends all sessions of a developer, or all but one. */
export function endSessions(db: Db, developerId: string, keep?: Buffer): Promise<number> {
  return db.run(
    sql`delete from sessions where developer_id = ${developerId} and hash is distinct from ${keep ?? null}`,
  );
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
    await call.db.run(sql`delete from sessions where hash = ${call.me.hash}`);
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

  on(endSession, async ({ db, me, params }) => {
    const ended = await db.run(sql`
      delete from sessions where id = ${params.sessionId} and developer_id = ${me.developerId}`);
    if (!ended) throw new Problem('SESSION_NOT_FOUND');
  }),
];
