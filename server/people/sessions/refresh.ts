import { refreshSession, type Tokens } from '#contract/appApi/session.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { appendEntry } from '#server/api/logs/append.ts';
import { wakeSealer } from '#server/api/logs/auditChain/sealer.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { endedForReuse } from '#server/people/mails/accountNotices.ts';
import { endUserSessions } from './endUserSessions.ts';
import { deviceTokenOf } from './knownDevice.ts';
import { userForApp } from './userForApp.ts';
import { publishUserSessions } from './userNotices.ts';
import { makeAccessToken, makeRefreshToken, type OfSession } from './userTokens.ts';

/** How long a repeated call without an `Idempotency-Key` is taken for a retry after a lost answer. */
const graceMs = 10_000;

interface Session extends OfSession {
  userId: string;
  deviceName: string;
  endedAt: Date | null;
  endReason: string | null;
  suspended: boolean;
}

interface RefreshToken {
  usedAt: Date | null;
  usedWith: Buffer | null;
  /** The token that replaced it, sealed; null once that token has been used as well. */
  successor: Buffer | null;
}

type Refresh = Pick<Call, 'inApp' | 'platform' | 'now' | 'from' | 'idempotencyKey'> & {
  body: BodyOf<typeof refreshSession>;
};
type Refused = 'SESSION_EXPIRED' | 'TOKEN_REUSED' | 'USER_SUSPENDED';
type Outcome = { tokens: Tokens } | { refused: Refused; endedOf?: string };

/** Uses its own transaction, because the end of a session must be committed although the call fails. */
export const refreshRoute = on(
  refreshSession,
  async call => {
    const outcome = await call.platform.db.tx(db => refresh(db, call));
    if ('tokens' in outcome) return outcome.tokens;
    if (outcome.endedOf !== undefined) {
      publishUserSessions(call.platform, call.inApp.projectId, outcome.endedOf);
      wakeSealer(call.platform);
    }
    throw new Problem(outcome.refused);
  },
  async (_call, tokens) => tokens,
);

/** Of concurrent calls with one token, the first creates a successor, and the others wait and get the same one. */
async function refresh(db: Db, call: Refresh): Promise<Outcome> {
  const hash = hashToken(call.body.refreshToken);
  const session = await lockSession(db, call, hash);
  // Read after the lock, because the token may have been used meanwhile.
  const token = session && (await findToken(db, hash));
  if (!token) return { refused: 'SESSION_EXPIRED' };
  if (session.suspended) return { refused: 'USER_SUSPENDED' };
  if (session.endReason === 'reused') return { refused: 'TOKEN_REUSED' };
  if (session.endedAt || session.expiresAt <= call.now) return { refused: 'SESSION_EXPIRED' };
  if (token.usedAt === null) return { tokens: await rotate(db, call, { session, hash }) };
  if (token.successor && isRepeat(call, token)) {
    const refreshToken = call.platform.sealing.open(token.successor);
    return { tokens: await tokensOf(db, call, { session, refreshToken }) };
  }
  await endReused(db, call, session);
  return { refused: 'TOKEN_REUSED', endedOf: session.userId };
}

/** Applies a shorter limit of the app from the next refresh on; a session is never extended. */
function lockSession(db: Db, { inApp, now }: Refresh, hash: Buffer): Promise<Session | undefined> {
  return db.one<Session>(sql`
    select s.project_id as "projectId", s.id as "sessionId", s.user_id as "userId", s.device_name as "deviceName",
      s.ended_at as "endedAt", s.end_reason as "endReason", u.suspended,
      least(s.expires_at, s.created_at + ${inApp.userSessionsTtlS} * interval '1 second') as "expiresAt"
    from user_sessions s join users u on u.project_id = s.project_id and u.id = s.user_id
    where s.project_id = ${inApp.projectId} and s.app_id = ${inApp.id} and s.id = (
      select session_id from user_tokens
      where hash = ${hash} and project_id = ${inApp.projectId} and kind = 'refresh' and expires_at > ${now})
    for no key update of s`);
}

function findToken(db: Db, hash: Buffer): Promise<RefreshToken | undefined> {
  return db.one<RefreshToken>(sql`
    select used_at as "usedAt", used_with as "usedWith", successor from user_tokens where hash = ${hash}`);
}

/**
 * Whether the first caller repeats its call without having used the answer: with the same key at any time, without a
 * key only for a short time.
 */
function isRepeat(call: Refresh, { usedAt, usedWith }: RefreshToken): boolean {
  const key = keyMac(call);
  if (key) return usedWith?.equals(key) ?? false;
  return usedAt !== null && call.now.getTime() - usedAt.getTime() <= graceMs;
}

function keyMac({ idempotencyKey: key, platform }: Refresh): Buffer | undefined {
  return key === undefined ? undefined : platform.sealing.mac(`refresh ${key}`);
}

async function rotate(
  db: Db,
  call: Refresh,
  { session, hash }: { session: Session; hash: Buffer },
): Promise<Tokens> {
  const { now, platform, from } = call;
  const { projectId, sessionId, expiresAt } = session;
  const refreshToken = await makeRefreshToken(db, session);
  await db.run(sql`
    update user_tokens set used_at = ${now}, used_with = ${keyMac(call) ?? null},
      successor = ${platform.sealing.seal(refreshToken)}
    where hash = ${hash}`);
  // The previous token is not answered again, now that its successor has been used.
  await db.run(sql`
    update user_tokens set successor = null
    where project_id = ${projectId} and session_id = ${sessionId} and hash <> ${hash} and successor is not null`);
  await db.run(sql`
    delete from user_tokens
    where project_id = ${projectId} and session_id = ${sessionId} and kind = 'access' and expires_at <= ${now}`);
  await db.run(sql`
    update user_sessions set last_seen_at = ${now}, expires_at = ${expiresAt}, address = ${from.address}
    where project_id = ${projectId} and id = ${sessionId}`);
  return tokensOf(db, call, { session, refreshToken });
}

async function tokensOf(
  db: Db,
  { now, platform }: Refresh,
  { session, refreshToken }: { session: Session; refreshToken: string },
): Promise<Tokens> {
  return {
    ...(await makeAccessToken(db, session, now)),
    refreshToken,
    sessionId: session.sessionId,
    deviceToken: deviceTokenOf(platform.sealing, session),
    sessionExpiresAt: session.expiresAt.toISOString(),
    user: await userForApp(db, session.projectId, session.userId),
  };
}

/** A token that is used again is known to two parties, and it is unclear which of them is the user. */
async function endReused(db: Db, call: Refresh, session: Session): Promise<void> {
  const { platform, now, from, inApp } = call;
  const { projectId, sessionId, userId, deviceName } = session;
  await endUserSessions(db, platform, { projectId, userId, only: sessionId, reason: 'reused' });
  const user = await userForApp(db, projectId, userId);
  await appendEntry(db, platform, {
    projectId,
    stream: 'audit',
    ts: now,
    level: 1,
    action: 'refreshSession',
    actor: { callerType: 'user', id: userId, displayName: user.name || user.email || '' },
    text: 'Session ended: a refresh token was used twice',
    detail: {
      reason: 'TOKEN_REUSED',
      app: inApp.id,
      session: sessionId,
      address: from.address,
      requestId: from.requestId,
    },
  });
  const { email } = user;
  if (email === undefined || !user.verified) return;
  const happened = { device: deviceName, address: from.address, at: now };
  await endedForReuse(
    db,
    platform,
    { project: { id: projectId, name: inApp.projectName }, name: user.name, email },
    happened,
  );
}
