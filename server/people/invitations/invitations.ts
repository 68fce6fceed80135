import type { GuestAccess, HomeInvitation, HomeRole } from '#contract/home.ts';
import { homeMax } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs } from '#rules/time/durations.ts';
import { invitationDays } from '#rules/time/lifetimes.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import type { Actor } from '#server/api/logs/append.ts';
import { hashToken, newToken } from '#server/api/sessions/session.ts';
import type { ErasedUser } from '#server/api/slice.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { type Db, empty, type Sql, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import { isOpen } from './openInvitation.ts';

interface Place {
  projectId: string;
  homeId: string;
}

export interface InvitationRow {
  id: string;
  homeId: string;
  email: string;
  role: HomeRole;
  guest: GuestAccess | null;
  inviterType: Actor['callerType'];
  inviterId: string;
  inviterName: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Columns of `home_invitations i`. */
export const invitationColumns = sql`
  i.id, i.home_id::text as "homeId", i.email, i.role, i.guest, i.inviter_type as "inviterType",
  i.inviter_id as "inviterId", coalesce(
    (select u.name from users u
     where i.inviter_type = 'user' and u.project_id = i.project_id and u.id = i.inviter_id),
    i.inviter_name) as "inviterName", i.created_at as "createdAt", i.expires_at as "expiresAt"`;

export function toInvitation(row: InvitationRow): HomeInvitation {
  const { id, homeId, email, role, guest, inviterId, inviterName, createdAt, expiresAt } = row;
  return {
    id,
    homeId,
    email,
    role,
    ...(guest && { guest }),
    invitedBy: { id: inviterId, name: inviterName },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** The open invitations to a home. */
export async function invitationsOf(
  db: Db,
  { projectId, homeId }: Place,
  page: PageAsked,
  now: Date,
): Promise<{ items: InvitationRow[]; total: number }> {
  const searched = page.search ? sql`and ${contains(sql`search_text(i.email)`, page.search)}` : empty;
  return pageOf<InvitationRow>(db, {
    columns: invitationColumns,
    from: sql`home_invitations i`,
    where: sql`i.project_id = ${projectId} and i.home_id = ${homeId} and ${isOpen(now)} ${searched}`,
    orders: { createdAt: 'i.created_at' },
    key: sql`i.id`,
    page,
  });
}

export function findInvitation(db: Db, where: Sql, now: Date): Promise<InvitationRow | undefined> {
  return db.one<InvitationRow>(sql`
    select ${invitationColumns} from home_invitations i where ${where} and ${isOpen(now)}`);
}

interface NewInvitation {
  id: string;
  email: string;
  role: HomeRole;
  guest?: GuestAccess | undefined;
  inviter: Actor;
  /** Of an end user who invites. */
  session?: string | undefined;
  now: Date;
}

/**
 * Adds an invitation to a locked home and replaces an older one to the same address. Returns the token for the e-mail,
 * which is not stored.
 */
export async function insertInvitation(
  db: Db,
  { projectId, homeId }: Place,
  { id, email, role, guest, inviter, session, now }: NewInvitation,
): Promise<string> {
  await db.run(sql`
    delete from home_invitations i
    where i.project_id = ${projectId} and i.home_id = ${homeId} and (i.email = ${email} or not (${isOpen(now)}))`);
  const counted = await db.one<{ open: number }>(sql`
    select count(*)::int as open from home_invitations where project_id = ${projectId} and home_id = ${homeId}`);
  if ((counted?.open ?? 0) >= homeMax.invitations) throw new Problem('TOO_MANY_INVITATIONS');
  const token = newToken();
  const expiresAt = new Date(now.getTime() + invitationDays * dayMs);
  const name = inviter.callerType === 'user' ? '' : inviter.displayName;
  await db.run(sql`
    insert into home_invitations (project_id, id, home_id, email, role, guest, token_hash, inviter_type, inviter_id,
      inviter_name, inviter_session, created_at, expires_at)
    values (${projectId}, ${id}, ${homeId}, ${email}, ${role}, ${guest ? JSON.stringify(guest) : null},
      ${hashToken(token)}, ${inviter.callerType}, ${inviter.id}, ${name}, ${session ?? null}, ${now},
      ${expiresAt})`);
  return token;
}

/** False if the invitation was revoked, accepted or declined meanwhile. */
export async function deleteInvitation(
  db: Db,
  { projectId, homeId }: Place,
  invitationId: string,
): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from home_invitations
    where project_id = ${projectId} and home_id = ${homeId} and id = ${invitationId}`);
  return deleted > 0;
}

/** Deletes the invitations to and from a user who is being erased. */
export async function forgetInvitations(db: Db, { projectId, userId, addresses }: ErasedUser): Promise<void> {
  await db.run(sql`
    delete from home_invitations
    where project_id = ${projectId}
      and (email = any(${addresses}::text[]) or inviter_type = 'user' and inviter_id = ${userId})`);
}

export const expiredInvitations: Chore = {
  name: 'invitations to homes',
  deletes: now => sql`
    delete from home_invitations
    where (project_id, id) in (
      select project_id, id from home_invitations where expires_at <= ${now} limit ${batch}) returning 1`,
};
