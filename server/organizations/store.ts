import type { Organization } from '#contract/organization.ts';
import { type Db, sql } from '#server/db/sql.ts';

const columns = sql`id, name, open_to_sign_ups as "openToSignUps"`;

export function findOrganizationById(db: Db, id: string): Promise<Organization | undefined> {
  return db.one<Organization>(sql`select ${columns} from organizations where id = ${id}`);
}

/** The organization that registered this console address; `default` serves every address nobody registered. */
export function findOrganizationByUrl(db: Db, url: string): Promise<Organization | undefined> {
  const address = url.replace(/\/+$/, '');
  return db.one<Organization>(sql`
    select ${columns} from organizations
    where console_base_url = ${address} or id = 'default'
    order by (console_base_url = ${address}) desc nulls last limit 1`);
}
