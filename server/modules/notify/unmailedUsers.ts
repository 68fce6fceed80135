import { type Db, sql } from '#server/infra/db/sql.ts';

/** Why the platform sends no e-mails to the end users of a project. */
export const externalUsersSay = 'The users of this project get their e-mails from your own back end.';

/** True if the end users of a project get their e-mails from the developer's own back end. */
export async function hasExternalUsers(db: Db, projectId: string): Promise<boolean> {
  const row = await db.one<{ mode: string }>(sql`
    select user_account_mode as mode from projects where id = ${projectId}`);
  return row?.mode !== 'email';
}
