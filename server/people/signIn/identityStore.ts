import { type Db, sql } from '#server/infra/db/sql.ts';

/** A person at the provider of a method. */
export interface Identity {
  projectId: string;
  methodId: string;
  issuer: string;
  sub: string;
}

/** The user of an identity. Locks the identity until the transaction ends. */
export async function lockIdentity(
  db: Db,
  { projectId, methodId, issuer, sub }: Identity,
): Promise<string | undefined> {
  const key = JSON.stringify([projectId, methodId, issuer, sub]);
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
  const found = await db.one<{ userId: string }>(sql`
    select user_id as "userId" from user_identities
    where project_id = ${projectId} and method_id = ${methodId} and issuer = ${issuer} and sub = ${sub}`);
  return found?.userId;
}

/** False if the user already has another identity with this method. */
export async function insertIdentity(
  db: Db,
  { projectId, methodId, issuer, sub }: Identity,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into user_identities (project_id, method_id, issuer, sub, user_id, linked_at)
    values (${projectId}, ${methodId}, ${issuer}, ${sub}, ${userId}, ${now}) on conflict do nothing`);
  return inserted > 0;
}

export function deleteIdentity(
  db: Db,
  { projectId, methodId, userId }: { projectId: string; methodId: string; userId: string },
): Promise<number> {
  return db.run(sql`
    delete from user_identities
    where project_id = ${projectId} and method_id = ${methodId} and user_id = ${userId}`);
}
