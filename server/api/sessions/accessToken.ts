import { tokenPrefix } from '#contract/accessToken.ts';
import type { TokenScope } from '#contract/endpoint.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { hashToken, type Session, touchAfterMs } from './session.ts';
import { isTokenSecret } from './tokenSecret.ts';

/** The access token in an `Authorization` header. Other credentials in it are for a proxy, not for us. */
export function tokenIn(authorization: string | undefined): string | undefined {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return given?.startsWith(tokenPrefix) ? given : undefined;
}

/**
 * Finds the developer of an access token, as a session that never proved its password. Also finds an expired token and
 * one of a suspended developer.
 */
export async function loadAccessToken(
  { db }: Platform,
  { token, address, now }: { token: string; address: string; now: Date },
): Promise<Session | undefined> {
  if (!isTokenSecret(token)) return undefined;
  const found = await findByHash(db, hashToken(token));
  if (!found) return undefined;
  const { lastUsedAt, createdAt, expiresAt, tokenId, tokenName, scope, projectIds, ...developer } = found;
  const isStale = !lastUsedAt || now.getTime() - lastUsedAt.getTime() > touchAfterMs;
  if (isStale && expiresAt > now && !found.suspended) {
    await db.run(sql`
      update access_tokens set last_used_at = ${now}, last_used_from = ${address} where id = ${tokenId}`);
  }
  return {
    ...developer,
    id: tokenId,
    createdAt,
    lastUsedAt: now,
    expiresAt,
    provedAt: new Date(0),
    sudoer: null,
    token: { id: tokenId, name: tokenName, scope, projectIds: projectIds ?? undefined },
  };
}

type Found = Pick<
  Session,
  'hash' | 'developerId' | 'orgId' | 'name' | 'email' | 'verified' | 'suspended' | 'auth2FMissing'
> & {
  tokenId: string;
  tokenName: string;
  scope: TokenScope;
  projectIds: string[] | null;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
};

function findByHash(db: Db, hash: Buffer): Promise<Found | undefined> {
  return db.one<Found>(sql`
    select t.hash, t.id as "tokenId", t.name as "tokenName", t.scope, t.project_ids as "projectIds",
      t.created_at as "createdAt", t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt",
      d.id as "developerId", d.org_id as "orgId", d.name, d.email, d.verified, d.suspended,
      o.require_two_factor and not d.totp_active as "auth2FMissing"
    from access_tokens t
    join developers d on d.id = t.developer_id
    join organizations o on o.id = d.org_id
    where t.hash = ${hash}`);
}

interface NewAccessToken {
  id: string;
  hash: Buffer;
  developerId: string;
  name: string;
  scope: TokenScope;
  projectIds: readonly string[] | undefined;
  start: string;
  now: Date;
  expiresAt: Date;
}

export function insertAccessToken(db: Db, given: NewAccessToken): Promise<number> {
  return db.run(sql`
    insert into access_tokens (id, hash, developer_id, name, scope, project_ids, start, created_at, expires_at)
    values (${given.id}, ${given.hash}, ${given.developerId}, ${given.name}, ${given.scope},
      ${given.projectIds ?? null}, ${given.start}, ${given.now}, ${given.expiresAt})`);
}

/** Revokes a token and returns its name; undefined if it does not belong to the developer. */
export async function endAccessToken(db: Db, developerId: string, id: string): Promise<string | undefined> {
  const ended = await db.one<{ name: string }>(sql`
    delete from access_tokens where id = ${id} and developer_id = ${developerId} returning name`);
  return ended?.name;
}

/** Revokes all access tokens of a developer. */
export function endAccessTokens(db: Db, developerId: string): Promise<number> {
  return db.run(sql`delete from access_tokens where developer_id = ${developerId}`);
}
