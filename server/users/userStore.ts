import { updateRow } from '#server/db/rows.ts';
import { type Db, type Sql, sql } from '#server/db/sql.ts';

/** An end user's row, with what signing in and mails need of it. */
export interface UserRecord {
  id: string;
  projectId: string;
  /** Null: brought by a back end without one. */
  email: string | null;
  /** An address that waits for its confirmation. */
  newEmail: string | null;
  name: string;
  language: string | null;
  passwordHash: string | null;
  passwordSetAt: Date | null;
  /** Somebody else set it, and knows it. */
  passwordIsInitial: boolean;
  verifiedAt: Date | null;
  suspended: boolean;
  createdAt: Date;
}

const columns = sql`
  u.id, u.project_id as "projectId", u.email, u.new_email as "newEmail", u.name, u.language,
  u.password_hash as "passwordHash", u.password_set_at as "passwordSetAt",
  u.password_is_initial as "passwordIsInitial", u.verified_at as "verifiedAt", u.suspended, u.created_at as "createdAt"`;

/** `email` in one spelling, see `normalEmail`. */
export function findUserByEmail(db: Db, projectId: string, email: string): Promise<UserRecord | undefined> {
  return find(db, sql`u.project_id = ${projectId} and u.email = ${email}`);
}

export function findUserById(db: Db, projectId: string, id: string): Promise<UserRecord | undefined> {
  return find(db, sql`u.project_id = ${projectId} and u.id = ${id}`);
}

/** The same, locked for a change: what is decided by the row holds until the transaction ends. */
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
  /** True: somebody else chose the password. */
  passwordIsInitial?: boolean;
  /** True: it was proven, or is vouched for, that the address is theirs. */
  isVerified?: boolean;
  /** The app in which the user registered. */
  createdIn?: string | undefined;
  now: Date;
}

/** False: the e-mail address or external id is another user's. */
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

/** A change of the address that waits may be a thief's, who would get the account back by it: it is dropped. */
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
 * Gives an account whose address was never proven to who has proven it now: nothing that somebody else may have set is
 * left, above all no password.
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
 * Frees an address that somebody has just proven: whoever typed it in without that must not keep its owner from it. An
 * account that a developer put into a home or suspended stays.
 */
export function dropUnverified(db: Db, projectId: string, email: string): Promise<number> {
  return db.run(sql`
    delete from users u where project_id = ${projectId} and email = ${email} and verified_at is null and not suspended
      and not exists (select from home_members m where m.project_id = u.project_id and m.user_id = u.id)`);
}

/** Null: no change waits any longer. */
export function setNewEmail(db: Db, { projectId, id }: OfUser, newEmail: string | null): Promise<number> {
  return db.run(sql`
    update users set new_email = ${newEmail}, revision = revision + 1
    where project_id = ${projectId} and id = ${id}`);
}

/** The address that was proven by its confirmation is the one from now on. */
export function setEmail(
  db: Db,
  { projectId, id }: OfUser,
  { email, now }: { email: string; now: Date },
): Promise<number> {
  return db.run(sql`
    update users set email = ${email}, verified_at = ${now}, new_email = null, revision = revision + 1
    where project_id = ${projectId} and id = ${id}`);
}

/** What is undefined stays as it is. */
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

/** The user, locked for a change. */
export function lockUser(db: Db, { projectId, id }: OfUser): Promise<UserRecord | undefined> {
  return find(db, sql`u.project_id = ${projectId} and u.id = ${id} for update`);
}

/** Sessions, codes, sign-in methods and exports go with it; memberships go first. */
export function deleteUserRow(db: Db, { projectId, id }: OfUser): Promise<number> {
  return db.run(sql`delete from users where project_id = ${projectId} and id = ${id}`);
}
