import type { ErasedUser } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/**
 * Deletes e-mails to an end user who is being erased, and those whose subject names them; what these offered is deleted
 * with the user. An unsent e-mail stays if a developer or a user of another project has the same address: a project must
 * not suppress what others send to that person.
 */
export async function forgetMails(db: Db, { projectId, userId, addresses }: ErasedUser): Promise<void> {
  await db.run(sql`delete from mails where names_user = ${userId}`);
  await db.run(sql`
    delete from mails m where recipient = any(${addresses}::text[]) and (sent_at is not null or not (
      exists (select from developers where email = m.recipient)
      or exists (select from users where email = m.recipient and project_id <> ${projectId})))`);
}
