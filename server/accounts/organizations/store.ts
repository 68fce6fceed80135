import type { Organization } from '#contract/organization.ts';
import { type Db, raw, sql } from '#server/infra/db/sql.ts';

const columns = sql`id, name, open_to_sign_ups as "openToSignUps"`;

export function findOrganizationById(db: Db, id: string): Promise<Organization | undefined> {
  return db.one<Organization>(sql`select ${columns} from organizations where id = ${id}`);
}

/** The organization that registered this console URL; `default` serves all unregistered URLs. */
export function findOrganizationByUrl(db: Db, url: string): Promise<Organization | undefined> {
  const address = url.replace(/\/+$/, '');
  return db.one<Organization>(sql`
    select ${columns} from organizations
    where console_base_url = ${address} or id = 'default'
    order by (console_base_url = ${address}) desc nulls last limit 1`);
}

/** Returns 0 if the id is already taken. */
export function insertOrganization(db: Db, { id, name }: { id: string; name: string }): Promise<number> {
  return db.run(sql`insert into organizations (id, name) values (${id}, ${name}) on conflict do nothing`);
}

/**
 * Sets one setting. The caller passes the name of the column, which must never come from input. Returns 0 if the
 * organization does not exist.
 */
export function setOrganizationColumn(
  db: Db,
  id: string,
  column: string,
  value: string | boolean | string[] | null,
): Promise<number> {
  return db.run(sql`update organizations set ${raw(column)} = ${value} where id = ${id}`);
}
