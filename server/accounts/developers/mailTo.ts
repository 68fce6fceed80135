import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Letter } from '#server/mail/sending/letter.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';

/** Writes an e-mail whose links lead to the console of the developer's organization, and queues it. */
export async function mailTo(
  db: Db,
  platform: Platform,
  { orgId, email }: { orgId: string; email: string },
  write: (baseUrl: string) => Letter,
): Promise<void> {
  await queueMail(db, platform, { to: email, letter: write(await consoleUrl(db, platform, orgId)) });
}

/** The address of an organization's console. Never taken from a request, whose Host header anyone can forge. */
export async function consoleUrl(db: Db, platform: Platform, orgId: string): Promise<string> {
  const org = await db.one<{ url: string | null }>(sql`
    select console_base_url as url from organizations where id = ${orgId}`);
  if (org?.url) return org.url;
  return orgId === 'default' ? platform.publicUrl() : `${platform.publicUrl()}/orgs/${orgId}`;
}

/**
 * The `developers d` who can be told about a project by e-mail. One who was invited and has not accepted is not part of
 * the team yet, and could not follow a link into the console.
 */
export const hasJoined: Sql = sql`d.password_hash is not null and not d.suspended`;
