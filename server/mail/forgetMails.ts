import { type Db, sql } from '#server/db/sql.ts';

/** Deletes e-mails whose subject names an end user who is being erased. What they offered was deleted with the user. */
export function forgetMailsNaming(db: Db, userId: string): Promise<number> {
  return db.run(sql`delete from mails where names_user = ${userId}`);
}

/**
 * Deletes e-mails to the address of an end user who is being erased. An unsent e-mail stays if a developer or a user of
 * another project has the same address: a project must not suppress what others send to that person.
 */
export function forgetMailsTo(db: Db, projectId: string, address: string): Promise<number> {
  return db.run(sql`
    delete from mails where recipient = ${address} and (sent_at is not null or not (
      exists (select from developers where email = ${address})
      or exists (select from users where email = ${address} and project_id <> ${projectId})))`);
}
