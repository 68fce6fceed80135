import { type Db, sql } from '#server/db/sql.ts';

/** Mails whose subject names an end user who is erased. What they offer went with the user. */
export function forgetMailsNaming(db: Db, userId: string): Promise<number> {
  return db.run(sql`delete from mails where names_user = ${userId}`);
}

/** Mails to the address of an end user who is erased. One that still waits stays where a developer has the address. */
export function forgetMailsTo(db: Db, address: string): Promise<number> {
  return db.run(sql`
    delete from mails where recipient = ${address}
      and (sent_at is not null or not exists (select from developers where email = ${address}))`);
}
