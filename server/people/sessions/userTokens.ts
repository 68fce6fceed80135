import { accessTokenTtlS } from '#rules/time/lifetimes.ts';
import { hashToken, newToken } from '#server/api/sessions/session.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

export interface OfSession {
  projectId: string;
  sessionId: string;
  /** When the session ends. */
  expiresAt: Date;
}

export interface AccessToken {
  accessToken: string;
  accessExpiresAt: string;
}

/** Creates an access token, of which only a hash is stored. It never works longer than its session. */
export async function makeAccessToken(db: Db, session: OfSession, now: Date): Promise<AccessToken> {
  const accessToken = newToken();
  const endMs = Math.min(now.getTime() + accessTokenTtlS * 1000, session.expiresAt.getTime());
  const expiresAt = new Date(endMs);
  await insertToken(db, session, { token: accessToken, kind: 'access', expiresAt });
  return { accessToken, accessExpiresAt: expiresAt.toISOString() };
}

export async function makeRefreshToken(db: Db, session: OfSession): Promise<string> {
  const token = newToken();
  await insertToken(db, session, { token, kind: 'refresh', expiresAt: session.expiresAt });
  return token;
}

function insertToken(
  db: Db,
  { projectId, sessionId }: OfSession,
  { token, kind, expiresAt }: { token: string; kind: 'access' | 'refresh'; expiresAt: Date },
): Promise<number> {
  return db.run(sql`
    insert into user_tokens (hash, project_id, session_id, kind, expires_at)
    values (${hashToken(token)}, ${projectId}, ${sessionId}, ${kind}, ${expiresAt})`);
}
