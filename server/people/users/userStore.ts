import { updateRow } from '#server/infra/db/rows.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';

/** An end user's row, with the fields for signing in and for e-mails. */
export interface UserRecord {
  id: string;
  projectId: string;
  /** Null if a back end brought the user without an address. */
  email: string | null;
  /** A new address that has not been confirmed yet. Pending only while the session lasts in which it was given. */
  newEmail: string | null;
  newEmailSession: string | null;
  name: string;
  language: string | null;
  passwordHash: string | null;
  passwordSetAt: Date | null;
  /** True if someone else set the password, and knows it. */
  passwordIsInitial: boolean;
  verifiedAt: Date | null;
  suspended: boolean;
  createdAt: Date;
}

const columns = sql`
  u.id, u.project_id as "projectId", u.email, u.new_email as "newEmail", u.new_email_session as "newEmailSession",
  u.name, u.language,
  u.password_hash as "passwordHash", u.password_set_at as "passwordSetAt",
  u.password_is_initial as "passwordIsInitial", u.verified_at as "verifiedAt", u.suspended, u.created_at as "createdAt"`;

/** `email` must be normalized, see `normalEmail`. */
export function findUserByEmail(db: Db, projectId: string, email: string): Promise<UserRecord | undefined> {
  return find(db, sql`u.project_id = ${projectId} and u.email = ${email}`);
}

export function findUserById(db: Db, projectId: string, id: string): Promise<UserRecord | undefined> {
  return find(db, sql`u.project_id = ${projectId} and u.id = ${id}`);
}

/** Locks the user, so that the row cannot change until the transaction ends. */
export function lockUserByEmail(db: Db, projectId: string, email: string): Promise<UserRecord | undefined> {
  return find(db, sql`u.project_id = ${projectId} and u.email = ${email} for update`);
}

function find(db: Db, where: Sql): Promise<UserRecord | undefined> {
  return db.one<UserRecord>(sql`select ${columns} from users u where ${where}`);
}

export interface NewUser {
  id: string;
  projectId: string;
  email?: string | undefined;
  name?: string | undefined;
  language?: string | undefined;
  externalId?: string | undefined;
  passwordHash?: string | undefined;
  /** True if someone else chose the password. */
  passwordIsInitial?: boolean;
  /** True if the address was verified, or someone vouches for it. */
  isVerified?: boolean;
  /** The app in which the user registered. */
  createdIn?: string | undefined;
  now: Date;
}

/** False if the e-mail address or external id belongs to another user. */
export async function insertUser(db: Db, given: NewUser): Promise<boolean> {
  const { id, projectId, email, name, language, externalId, passwordHash, isVerified, createdIn, now } =
    given;
  const { passwordIsInitial = false } = given;
  const inserted = await db.run(sql`
    insert into users (project_id, id, email, name, language, external_id, password_hash, password_set_at,
      password_is_initial, verified_at, created_in, created_at)
    values (${projectId}, ${id}, ${email ?? null}, ${name ?? ''}, ${language ?? null}, ${externalId ?? null},
      ${passwordHash ?? null}, ${passwordHash === undefined ? null : now}, ${passwordIsInitial},
      ${isVerified ? now : null}, ${createdIn ?? null}, ${now})
    on conflict do nothing`);
  return inserted > 0;
}

interface OfUser {
  projectId: string;
  id: string;
}

/** Discards a pending change of the address: a thief may have started it to regain the account. */
export function setUserPassword(
  db: Db,
  { projectId, id }: OfUser,
  { passwordHash, now }: { passwordHash: string | null; now: Date },
): Promise<number> {
  const setAt = passwordHash === null ? null : now;
  return db.run(sql`
    update users set password_hash = ${passwordHash}, password_set_at = ${setAt}, password_is_initial = false,
      new_email = null, revision = revision + 1
    where project_id = ${projectId} and id = ${id}`);
}

export function markVerified(db: Db, { projectId, id }: OfUser, now: Date): Promise<number> {
  return db.run(sql`
    update users set verified_at = coalesce(verified_at, ${now}), revision = revision + 1
    where project_id = ${projectId} and id = ${id}`);
}

/**
 * Gives an account with an unverified address to the person who has now proven it: nothing that someone else may have
 * set is kept, above all no password.
 */
export function replaceUnverified(
  db: Db,
  { projectId, id }: OfUser,
  { name, language, now }: { name: string; language: string | undefined; now: Date },
): Promise<number> {
  return db.run(sql`
    update users set password_hash = null, password_set_at = null, password_is_initial = false,
      new_email = null, name = ${name}, language = ${language ?? null}, verified_at = ${now}, revision = revision + 1
    where project_id = ${projectId} and id = ${id} and verified_at is null`);
}

/**
 * Frees an address that someone has just proven, by deleting an unverified account with it: a person who registered it
 * without proof must not keep its owner from it. An account that is suspended or a member of a home stays.
 */
export function dropUnverified(db: Db, projectId: string, email: string): Promise<number> {
  return db.run(sql`
    delete from users u where project_id = ${projectId} and email = ${email} and verified_at is null and not suspended
      and not exists (select from home_members m where m.project_id = u.project_id and m.user_id = u.id)`);
}

/** Stores an address that the user is changing to, and the session in which. */
export function setNewEmail(
  db: Db,
  { projectId, id }: OfUser,
  { newEmail, sessionId }: { newEmail: string; sessionId: string },
): Promise<number> {
  return db.run(sql`
    update users set new_email = ${newEmail}, new_email_session = ${sessionId}, revision = revision + 1
    where project_id = ${projectId} and id = ${id}`);
}

/** Sets the address that was proven by its confirmation. */
export function setEmail(
  db: Db,
  { projectId, id }: OfUser,
  { email, now }: { email: string; now: Date },
): Promise<number> {
  return db.run(sql`
    update users set email = ${email}, verified_at = ${now}, new_email = null, revision = revision + 1
    where project_id = ${projectId} and id = ${id}`);
}

/** Undefined fields are not changed. */
export function setProfile(
  db: Db,
  { projectId, id }: OfUser,
  edit: { name?: string | undefined; language?: string | null | undefined; suspended?: boolean | undefined },
): Promise<number> {
  const columnOf = { name: 'name', language: 'language', suspended: 'suspended' };
  return updateRow(
    db,
    'users',
    { project_id: projectId, id },
    edit,
    columnOf as Record<keyof typeof edit, string>,
  );
}

/** Locks the user for a change. */
export function lockUser(db: Db, { projectId, id }: OfUser): Promise<UserRecord | undefined> {
  return find(db, sql`u.project_id = ${projectId} and u.id = ${id} for update`);
}

/** Also deletes sessions, codes, sign-in methods and exports; memberships must be deleted before. */
export function deleteUserRow(db: Db, { projectId, id }: OfUser): Promise<number> {
  return db.run(sql`delete from users where project_id = ${projectId} and id = ${id}`);
}
