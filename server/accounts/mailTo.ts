import { type Db, sql } from '#server/db/sql.ts';
import type { Letter } from '#server/mail/letter.ts';
import { queueMail } from '#server/mail/queueMail.ts';
import type { Platform } from '#server/platform.ts';

/** Writes a letter whose links lead into the console of the developer's organization, and queues it. */
export async function mailTo(
  db: Db,
  platform: Platform,
  { orgId, email }: { orgId: string; email: string },
  write: (baseUrl: string) => Letter,
): Promise<void> {
  await queueMail(db, platform, { to: email, letter: write(await consoleUrl(db, platform, orgId)) });
}

/** Where an organization's console is; never taken from a request, whose Host anyone can forge. */
export async function consoleUrl(db: Db, platform: Platform, orgId: string): Promise<string> {
  const org = await db.one<{ url: string | null }>(sql`
    select console_base_url as url from organizations where id = ${orgId}`);
  if (org?.url) return org.url;
  return orgId === 'default' ? platform.publicUrl() : `${platform.publicUrl()}/orgs/${orgId}`;
}
