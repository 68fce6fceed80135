import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { link } from '#server/mail/sending/mailLinks.ts';

/** The user and module that an unsubscribe link is for. */
export interface Subscription {
  moduleId: string;
  userId: string;
}

const purpose = 'unsubscribe';
export const unsubscribePath = '/unsubscribe';

/** Works without signing in and for as long as the e-mail exists, so it names its purpose and cannot be forged. */
export function unsubscribeUrl(
  { sealing, publicUrl }: Pick<Platform, 'sealing' | 'publicUrl'>,
  projectId: string,
  { moduleId, userId }: Subscription,
): string {
  const sealed = sealing.seal(JSON.stringify([purpose, projectId, moduleId, userId]));
  const path = `/u/${encodeURIComponent(projectId)}${unsubscribePath}`;
  return link(publicUrl(), path, { token: sealed.toString('base64url') });
}

/** What the token of a link is for; undefined if it is not one of ours. */
export function subscriptionOf(
  { sealing }: Pick<Platform, 'sealing'>,
  projectId: string,
  token: string,
): Subscription | undefined {
  let opened: unknown;
  try {
    opened = JSON.parse(sealing.open(Buffer.from(token, 'base64url')));
  } catch {
    return undefined;
  }
  if (!Array.isArray(opened) || opened[0] !== purpose || opened[1] !== projectId) return undefined;
  const [, , moduleId, userId] = opened as string[];
  return moduleId === undefined || userId === undefined ? undefined : { moduleId, userId };
}

/** Whether a user gets the e-mails of a module; undefined if the user or the module no longer exists. */
export async function isSubscribed(
  db: Db,
  projectId: string,
  { moduleId, userId }: Subscription,
): Promise<boolean | undefined> {
  const row = await db.one<{ refused: boolean }>(sql`
    select exists (select from notify_refusals
      where project_id = ${projectId} and module_id = ${moduleId} and user_id = ${userId}) as refused
    from smart_modules s join users u on u.project_id = s.project_id and u.id = ${userId}
    where s.project_id = ${projectId} and s.id = ${moduleId}`);
  return row && !row.refused;
}

export async function setSubscribed(
  db: Db,
  projectId: string,
  { moduleId, userId }: Subscription,
  { wants, now }: { wants: boolean; now: Date },
): Promise<void> {
  if (wants)
    await db.run(sql`
      delete from notify_refusals
      where project_id = ${projectId} and module_id = ${moduleId} and user_id = ${userId}`);
  else
    await db.run(sql`
      insert into notify_refusals (project_id, module_id, user_id, refused_at)
      values (${projectId}, ${moduleId}, ${userId}, ${now}) on conflict do nothing`);
}
