import type { HomeRole } from '#contract/home.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { type Db, type Sql, sql } from '#server/infra/db/sql.ts';
import { isNotTakenBack } from '#server/people/homes/takenBack.ts';

/** An invitation that can be accepted now. */
export interface OpenInvitation {
  id: string;
  homeId: string;
  /** Normalized, see `normalEmail`. */
  email: string;
  role: HomeRole;
}

/**
 * Condition on `home_invitations i`: not expired, not taken back with the session it was sent in, and the inviter may
 * still invite. An invitation is deleted once that changes; this also covers one that was being made meanwhile.
 */
export const isOpen = (now: Date): Sql => sql`
  i.expires_at > ${now} and ${isNotTakenBack(sql`i.project_id`, sql`i.inviter_session`)} and (i.inviter_type <> 'user' or exists (
    select 1 from home_members im join projects ip on ip.id = im.project_id
    join users iu on iu.project_id = im.project_id and iu.id = im.user_id
    where im.project_id = i.project_id and im.home_id = i.home_id and im.user_id = i.inviter_id
      and not iu.suspended and may_invite(im.role, i.role, ip.permission_based_access_control)))`;

/** Whether an address has an open invitation to any home of the project. */
export async function isInvitedToHome(
  db: Db,
  { projectId, email, now }: { projectId: string; email: string; now: Date },
): Promise<boolean> {
  const found = await db.one(sql`
    select 1 as found from home_invitations i
    where i.project_id = ${projectId} and i.email = ${email} and ${isOpen(now)} limit 1`);
  return found !== undefined;
}

/** The open invitation with this token from its e-mail. Anyone who has the token can read the mail to that address. */
export function openInvitation(
  db: Db,
  { projectId, token, now }: { projectId: string; token: string; now: Date },
): Promise<OpenInvitation | undefined> {
  return db.one<OpenInvitation>(sql`
    select i.id, i.home_id::text as "homeId", i.email, i.role from home_invitations i
    where i.project_id = ${projectId} and i.token_hash = ${hashToken(token)} and ${isOpen(now)}`);
}
