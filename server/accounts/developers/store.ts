import type { Developer } from '#contract/account.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** A developer's row, without the columns that only two-factor authentication needs. */
export interface DeveloperRow {
  id: string;
  orgId: string;
  email: string;
  pendingEmail: string | null;
  name: string;
  passwordHash: string | null;
  verified: boolean;
  suspended: boolean;
  maxProjects: number;
  onboardStates: Developer['onboardStates'];
  totpActive: boolean;
  requireTwoFactor: boolean;
  requireVerification: boolean;
  revision: number;
}

const columns = sql`
  d.id, d.org_id as "orgId", d.email, d.pending_email as "pendingEmail", d.name, d.password_hash as "passwordHash",
  d.verified, d.suspended, d.max_projects as "maxProjects", d.onboard_states as "onboardStates",
  d.totp_active as "totpActive", d.revision, o.require_two_factor as "requireTwoFactor",
  o.require_verification as "requireVerification"`;

export function findByEmail(db: Db, orgId: string, email: string): Promise<DeveloperRow | undefined> {
  return db.one<DeveloperRow>(sql`
    select ${columns} from developers d join organizations o on o.id = d.org_id
    where d.org_id = ${orgId} and d.email = ${email}`);
}

/** The account with this address in the organization; otherwise the oldest one in any other. */
export function findAnywhere(db: Db, orgId: string, email: string): Promise<DeveloperRow | undefined> {
  return db.one<DeveloperRow>(sql`
    select ${columns} from developers d join organizations o on o.id = d.org_id
    where d.email = ${email} order by (d.org_id = ${orgId}) desc, d.created_at, d.id limit 1`);
}

export async function findById(db: Db, id: string): Promise<DeveloperRow | undefined> {
  return db.one<DeveloperRow>(sql`
    select ${columns} from developers d join organizations o on o.id = d.org_id where d.id = ${id}`);
}

/**
 * The same, locked. A concurrent password change either finishes first, or waits and then ends what was opened in the
 * meantime.
 */
export function lockById(db: Db, id: string): Promise<DeveloperRow | undefined> {
  return db.one<DeveloperRow>(sql`
    select ${columns} from developers d join organizations o on o.id = d.org_id where d.id = ${id}
    for no key update of d`);
}

/**
 * Locks the developer who has proven a password. The comparison is slow and runs before the transaction, so the
 * password may have changed in the meantime.
 */
export async function lockProven(db: Db, proven: DeveloperRow): Promise<DeveloperRow> {
  const row = await lockById(db, proven.id);
  if (!row || row.passwordHash !== proven.passwordHash) throw new Problem('LOGIN_FAILED');
  if (row.suspended) throw new Problem('ACCOUNT_SUSPENDED');
  return row;
}

/** Returns false if the address already has an account. */
export async function insertDeveloper(
  db: Db,
  given: { id: string; orgId: string; email: string; name: string; passwordHash: string | null; now: Date },
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into developers (id, org_id, email, name, password_hash, created_at)
    values (${given.id}, ${given.orgId}, ${given.email}, ${given.name}, ${given.passwordHash}, ${given.now})
    on conflict on constraint developers_email do nothing`);
  return inserted > 0;
}

export function setPassword(db: Db, id: string, passwordHash: string): Promise<number> {
  return db.run(
    sql`update developers set password_hash = ${passwordHash}, revision = revision + 1 where id = ${id}`,
  );
}

export function setSuspended(db: Db, id: string, suspended: boolean): Promise<number> {
  return db.run(
    sql`update developers set suspended = ${suspended}, revision = revision + 1 where id = ${id}`,
  );
}

/** How many projects the account may have, including the sample project. */
export function setProjectLimit(db: Db, id: string, maxProjects: number): Promise<number> {
  return db.run(
    sql`update developers set max_projects = ${maxProjects}, revision = revision + 1 where id = ${id}`,
  );
}

/** Stores the address that a developer is changing to, and the session in which. It takes effect once it is verified. */
export function setPendingEmail(
  db: Db,
  { id }: Pick<DeveloperRow, 'id'>,
  { email, sessionId }: { email: string; sessionId: string | undefined },
): Promise<number> {
  return db.run(sql`
    update developers set pending_email = ${email}, pending_session = ${sessionId ?? null}, revision = revision + 1
    where id = ${id}`);
}

/** A pending e-mail change may come from a thief, who could use it to take the account back. */
export async function dropEmailChange(
  db: Db,
  { id, email }: Pick<DeveloperRow, 'id' | 'email'>,
): Promise<void> {
  await db.run(sql`update developers set pending_email = null, pending_session = null where id = ${id}`);
  await db.run(sql`
    delete from tokens where developer_id = ${id} and purpose = 'verification' and used_at is null
      and data->>'email' <> ${email}`);
}

/** The same, if it was begun in this session, which the developer ended from another one. */
export async function dropEmailChangeOf(db: Db, developerId: string, sessionId: string): Promise<void> {
  const begun = await db.one<{ id: string; email: string }>(sql`
    select id, email from developers where id = ${developerId} and pending_session = ${sessionId} for no key update`);
  if (begun) await dropEmailChange(db, begun);
}

/** The account as the developer sees it; in a support session, with who is acting. */
export function toDeveloper(row: DeveloperRow, sudoer: string | null): Developer {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    ...(row.pendingEmail && { pendingEmail: row.pendingEmail }),
    orgId: row.orgId,
    verified: row.verified,
    auth2FActivated: row.totpActive,
    ...(row.requireTwoFactor && { auth2FRequired: true }),
    onboardStates: row.onboardStates,
    ...(sudoer && { sudoer }),
    maxProjects: row.maxProjects,
    revision: row.revision,
  };
}
