import { hash as digest } from 'node:crypto';
import { Problem } from '#contract/problem.ts';
import type { CalledApp, UserCaller } from '#server/api/endpoints/apiDoor.ts';
import { hashToken, touchAfterMs } from '#server/api/sessions/session.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { RecentMemory } from '#server/infra/pace/recentMemory.ts';
import type { Platform } from '#server/infra/platform.ts';
import { touchUser } from './touchUser.ts';
import { onUserSessionsChanged } from './userNotices.ts';

/** How long a session is cached without querying the database, unless the bus announces its end. */
const bounds = { trustMs: 5_000, max: 50_000 };

interface Found extends UserCaller {
  appId: string;
  lastSeenAt: Date;
  /** When the token or the session ends, whichever is sooner. */
  endsAt: Date;
}

const memories = new WeakMap<Platform, RecentMemory<Found>>();
const about = (projectId: string, userId: string) => `${projectId} ${userId}`;

function memoryOf(platform: Platform): RecentMemory<Found> {
  const known = memories.get(platform);
  if (known) return known;
  const memory = new RecentMemory<Found>(bounds);
  onUserSessionsChanged(platform, ({ projectId, userId }) => memory.outdate(about(projectId, userId)));
  memories.set(platform, memory);
  return memory;
}

/** The end user of an access token in this app; undefined if the session ended or the user was suspended. */
export function findUserSession(
  platform: Platform,
  { id: appId, projectId }: CalledApp,
  { token, now }: { token: string; now: Date },
): UserCaller | undefined | Promise<UserCaller | undefined> {
  const key = `${projectId} ${digest('sha256', token, 'base64url')}`;
  const found = memoryOf(platform).find(key, now.getTime(), async () => {
    const value = await look(platform.db, projectId, { hash: hashToken(token), now });
    if (!value) return undefined;
    await touch(platform.db, projectId, { found: value, now });
    return { value, about: about(projectId, value.id) };
  });
  const ifOpen = (session: Found | undefined) =>
    session && session.appId === appId && session.endsAt > now ? session : undefined;
  return found instanceof Promise ? found.then(ifOpen) : ifOpen(found);
}

async function look(
  db: Db,
  projectId: string,
  { hash, now }: { hash: Buffer; now: Date },
): Promise<Found | undefined> {
  const row = await db.one<Omit<Found, 'email'> & { email: string | null }>(sql`
    select u.id, u.name, u.email, u.verified_at is not null as verified, s.id as "sessionId", s.app_id as "appId",
      s.proved_at as "provedAt", s.last_seen_at as "lastSeenAt", least(t.expires_at, s.expires_at) as "endsAt"
    from user_tokens t
    join user_sessions s on s.project_id = t.project_id and s.id = t.session_id
    join users u on u.project_id = s.project_id and u.id = s.user_id
    where t.hash = ${hash} and t.kind = 'access' and t.expires_at > ${now}
      and s.project_id = ${projectId} and s.ended_at is null and s.expires_at > ${now} and not u.suspended`);
  return row && { ...row, email: row.email ?? undefined };
}

interface OneSession {
  projectId: string;
  sessionId: string;
  now: Date;
}

/**
 * Whether a session is open and its user is not suspended; not cached. What was begun in a session and is finished
 * outside it asks this again, after locking the user.
 */
export async function isSessionOpen(db: Db, { projectId, sessionId, now }: OneSession): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from user_sessions s join users u on u.project_id = s.project_id and u.id = s.user_id
    where s.project_id = ${projectId} and s.id = ${sessionId} and s.ended_at is null and s.expires_at > ${now}
      and not u.suspended`);
  return found !== undefined;
}

/** Refuses a session that has ended, or whose user was suspended. */
export async function mustLast(db: Db, session: OneSession): Promise<void> {
  if (!(await isSessionOpen(db, session))) throw new Problem('NO_USER_SESSION');
}

/** Updated at most once a minute, so that a call does not cost a write. */
async function touch(db: Db, projectId: string, { found, now }: { found: Found; now: Date }): Promise<void> {
  if (now.getTime() - found.lastSeenAt.getTime() < touchAfterMs) return;
  await db.run(sql`
    update user_sessions set last_seen_at = ${now} where project_id = ${projectId} and id = ${found.sessionId}`);
  await touchUser(db, { projectId, id: found.id }, now);
}
