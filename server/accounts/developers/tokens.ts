import { developerTokenS } from '#rules/time/lifetimes.ts';
import { hashToken, newToken } from '#server/api/sessions/session.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

export type Purpose = keyof typeof developerTokenS;

export interface Token {
  orgId: string;
  developerId: string | null;
  data: Record<string, string>;
}

/** Creates a token and returns its text, which is not stored. */
export async function makeToken(
  db: Db,
  purpose: Purpose,
  given: { orgId: string; developerId: string | null; data?: Record<string, string>; now: Date },
): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(given.now.getTime() + developerTokenS[purpose] * 1000);
  await db.run(sql`
    insert into tokens (hash, purpose, org_id, developer_id, data, created_at, expires_at)
    values (${hashToken(token)}, ${purpose}, ${given.orgId}, ${given.developerId},
      ${JSON.stringify(given.data ?? {})}, ${given.now}, ${expiresAt})`);
  return token;
}

/** Uses up a token: of any number of concurrent callers, exactly one gets it. */
export function takeToken(db: Db, purpose: Purpose, token: string, now: Date): Promise<Token | undefined> {
  return db.one<Token>(sql`
    update tokens set used_at = ${now}
    where hash = ${hashToken(token)} and purpose = ${purpose} and used_at is null and expires_at > ${now}
    returning org_id as "orgId", developer_id as "developerId", data`);
}

/** Whether a token can still be used. */
export async function isOpen(db: Db, purpose: Purpose, token: string, now: Date): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from tokens
    where hash = ${hashToken(token)} and purpose = ${purpose} and used_at is null and expires_at > ${now}`);
  return found !== undefined;
}

/** Finds a token without using it up, even if it was used or has expired. */
export function findToken(db: Db, purpose: Purpose, token: string): Promise<Token | undefined> {
  return db.one<Token>(sql`
    select org_id as "orgId", developer_id as "developerId", data from tokens
    where hash = ${hashToken(token)} and purpose = ${purpose}`);
}

/** Invalidates all open tokens of these purposes: a newer link replaces them, or what they proved has changed. */
export function dropTokens(db: Db, developerId: string, purposes: Purpose[]): Promise<number> {
  return db.run(sql`
    delete from tokens where developer_id = ${developerId} and purpose = any(${purposes}) and used_at is null`);
}
