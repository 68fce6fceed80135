import { type Db, sql } from '#server/db/sql.ts';

/** Mails whose subject names an end user who is erased. What they offer went with the user. */
export function forgetMailsNaming(db: Db, userId: string): Promise<number> {
  return db.run(sql`delete from mails where names_user = ${userId}`);
}

/**
 * Mails to the address of an end user who is erased. One that still waits stays where a developer or a user of another
 * project has the address: a project must not hold back what others have to say to somebody.
 */
export function forgetMailsTo(db: Db, projectId: string, address: string): Promise<number> {
  return db.run(sql`
    delete from mails where recipient = ${address} and (sent_at is not null or not (
      exists (select from developers where email = ${address})
      or exists (select from users where email = ${address} and project_id <> ${projectId})))`);
}
