import { type Db, sql } from '#server/infra/db/sql.ts';

export interface ExternalUser {
  id: string;
  email: string | null;
  suspended: boolean;
  revision: number;
}

/** The user whom a back end knows by this id. */
export function findExternalUser(
  db: Db,
  projectId: string,
  externalId: string,
): Promise<ExternalUser | undefined> {
  return db.one<ExternalUser>(sql`
    select id, email, suspended, revision from users
    where project_id = ${projectId} and external_id = ${externalId} for no key update`);
}

/**
 * Undefined fields are not changed. The back end vouches for the address, and a pending change by the user would revert
 * it.
 */
export function setExternalUser(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  edit: {
    email?: string | null | undefined;
    name?: string | undefined;
    language?: string | null | undefined;
    now: Date;
  },
): Promise<number> {
  const { email, name, language, now } = edit;
  return db.run(sql`
    update users set
      email = case when ${email !== undefined}::boolean then ${email ?? null} else email end,
      new_email = case when ${email !== undefined}::boolean then null else new_email end,
      verified_at = coalesce(verified_at, ${now}),
      name = coalesce(${name ?? null}, name),
      language = case when ${language !== undefined}::boolean then ${language ?? null} else language end,
      revision = revision + 1
    where project_id = ${projectId} and id = ${id}`);
}

/** Sets the id by which a back end knows the user. */
export function setExternalId(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  externalId: string,
): Promise<number> {
  return db.run(sql`
    update users set external_id = ${externalId} where project_id = ${projectId} and id = ${id}`);
}
