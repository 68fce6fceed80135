import { hash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { TokenScope } from '#contract/endpoint.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sessionTtlS } from '#rules/time/lifetimes.ts';
import { type Db, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';

/** How old the stored last use must be before it is updated, so that a read does not cost a write. */
export const touchAfterMs = minuteMs;

/** The access token that a call is made with. */
export interface TokenUsed {
  id: string;
  name: string;
  scope: TokenScope;
  /** The only projects it can access; undefined for all projects of its developer. */
  projectIds: readonly string[] | undefined;
}

/** The caller: a developer, with a session row or an access token. */
export interface Session {
  id: string;
  hash: Buffer;
  developerId: string;
  orgId: string;
  name: string;
  email: string;
  verified: boolean;
  suspended: boolean;
  auth2FMissing: boolean;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  provedAt: Date;
  sudoer: string | null;
  token?: TokenUsed;
  /**
   * True if it comes from the cache. It is read again, together with the row of the call, before any access is granted.
   */
  isRemembered?: true;
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** 256 random bits, URL-safe. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function isSecure(platform: Platform): boolean {
  return platform.publicUrl().startsWith('https:');
}

/** The `__Host-` prefix binds the cookie to this host, but browsers accept it over https only. */
export function cookieName(platform: Platform): string {
  return isSecure(platform) ? '__Host-mooring' : 'mooring';
}

export function cookieOptions(platform: Platform, maxAgeS: number): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(platform), maxAge: maxAgeS };
}

/**
 * Finds the session of a cookie, including that of a suspended account; undefined if there is none or it has
 * ended.
 */
export async function loadSession(platform: Platform, hash: Buffer, now: Date): Promise<Session | undefined> {
  return openSession(platform, await findSession(platform.db, hash), now);
}

/** Builds a session from its row, if it has not ended. Updates its last use at most once a minute. */
export async function openSession(
  { db }: Pick<Platform, 'db'>,
  session: Session | undefined,
  now: Date,
): Promise<Session | undefined> {
  if (!session) return undefined;
  const idleMs = now.getTime() - session.lastUsedAt.getTime();
  if (session.expiresAt <= now || idleMs > sessionTtlS * 1000) return undefined;
  if (idleMs > touchAfterMs)
    await db.run(sql`update sessions set last_used_at = ${now} where hash = ${session.hash}`);
  return session;
}

/** The fields of a session by name, with their columns in `sessionOf`. */
export const sessionColumns = {
  id: 's.id',
  hash: 's.hash',
  createdAt: 's.created_at',
  lastUsedAt: 's.last_used_at',
  expiresAt: 's.expires_at',
  provedAt: 's.proved_at',
  sudoer: 's.sudoer',
  developerId: 'd.id',
  orgId: 'd.org_id',
  name: 'd.name',
  email: 'd.email',
  verified: 'd.verified',
  suspended: 'd.suspended',
  auth2FMissing: 'o.require_two_factor and not d.totp_active',
} satisfies Record<Exclude<keyof Session, 'token' | 'isRemembered'>, string>;

/** A session with its developer and organization. */
export const sessionOf = (hash: Buffer) => sql`
  from sessions s
  join developers d on d.id = s.developer_id
  join organizations o on o.id = d.org_id
  where s.hash = ${hash}`;

const columns = raw(
  Object.entries(sessionColumns)
    .map(([name, from]) => `${from} as "${name}"`)
    .join(', '),
);

export function findSession(db: Db, hash: Buffer): Promise<Session | undefined> {
  return db.one<Session>(sql`select ${columns} ${sessionOf(hash)}`);
}

interface NewSession {
  token: string;
  id: string;
  developerId: string;
  sudoer: string | null;
  now: Date;
  expiresAt: Date;
  from: { address: string; userAgent: string };
}

export function insertSession(db: Db, given: NewSession): Promise<number> {
  const { token, id, developerId, sudoer, now, expiresAt, from } = given;
  return db.run(sql`
    insert into sessions
      (hash, id, developer_id, created_at, last_used_at, expires_at, proved_at, address, user_agent, sudoer)
    values (${hashToken(token)}, ${id}, ${developerId}, ${now}, ${now}, ${expiresAt}, ${now}, ${from.address},
      ${from.userAgent}, ${sudoer})`);
}

export function endSession(db: Db, hash: Buffer): Promise<number> {
  return db.run(sql`delete from sessions where hash = ${hash}`);
}

/** Ends all sessions of a developer, or all but one. */
export function endSessions(db: Db, developerId: string, keep?: Buffer): Promise<number> {
  return db.run(
    sql`delete from sessions where developer_id = ${developerId} and hash is distinct from ${keep ?? null}`,
  );
}

/** Called when the password was entered again correctly. */
export function renewProof(db: Db, hash: Buffer, now: Date): Promise<number> {
  return db.run(sql`update sessions set proved_at = ${now} where hash = ${hash}`);
}

/** Ends one of a developer's sessions; 0 if it does not belong to the developer. */
export function endOwnSession(db: Db, developerId: string, id: string): Promise<number> {
  return db.run(sql`delete from sessions where id = ${id} and developer_id = ${developerId}`);
}

/** Condition on `developers d`: whether the session or token is still valid. The account is checked separately. */
export function lasts({ hash, token }: Session, now: Date): Sql {
  if (token)
    return sql`exists (
      select from access_tokens t where t.hash = ${hash} and t.developer_id = d.id and t.expires_at > ${now})`;
  return sql`exists (
    select from sessions s where s.hash = ${hash} and s.developer_id = d.id and s.expires_at > ${now}
      and s.last_used_at > ${new Date(now.getTime() - sessionTtlS * 1000)})`;
}
