import { Problem } from '#contract/problem.ts';
import { dayMs } from '#rules/time/durations.ts';
import { invitationDays } from '#rules/time/lifetimes.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { batch, type Chore } from '#server/infra/jobs/housekeeping.ts';
import { findMember } from './members.ts';
import { isNotTakenBack } from './takenBack.ts';

interface Place {
  projectId: string;
  homeId: string;
}

/** Offers a locked home to a member; a newer offer replaces an older one. `session`: that of the owner. */
export async function offerTransfer(
  db: Db,
  place: Place,
  { to, session, now }: { to: string; session?: string | undefined; now: Date },
): Promise<void> {
  const member = await findMember(db, place, to);
  if (!member) throw new Problem('HOME_MEMBER_NOT_FOUND', { fields: { userId: 'HOME_MEMBER_NOT_FOUND' } });
  if (member.role === 'owner') throw new Problem('HOME_OWNER');
  const expiresAt = new Date(now.getTime() + invitationDays * dayMs);
  await db.run(sql`
    update homes set transfer_to = ${to}, transfer_offered_at = ${now}, transfer_expires_at = ${expiresAt},
      transfer_session = ${session ?? null}, revision = revision + 1
    where project_id = ${place.projectId} and id = ${place.homeId}`);
}

/** The home must be locked. False if it was not offered to anyone, or the offer has expired. */
export async function withdrawTransfer(db: Db, { projectId, homeId }: Place, now: Date): Promise<boolean> {
  const withdrawn = await db.run(sql`
    update homes set transfer_to = null, transfer_offered_at = null, transfer_expires_at = null,
      transfer_session = null, revision = revision + 1
    where project_id = ${projectId} and id = ${homeId} and transfer_expires_at > ${now}`);
  return withdrawn > 0;
}

/**
 * Makes the member to whom a locked home is offered its owner, and the former owner an admin, or a member if the
 * project has no roles. Returns the former owner; undefined if the home is not offered to this member.
 */
export async function acceptTransfer(
  db: Db,
  { projectId, homeId }: Place,
  { userId, hasRoles, now }: { userId: string; hasRoles: boolean; now: Date },
): Promise<string | undefined> {
  const taken = await db.run(sql`
    update homes set transfer_to = null, transfer_offered_at = null, transfer_expires_at = null,
      transfer_session = null, revision = revision + 1
    where project_id = ${projectId} and id = ${homeId} and transfer_to = ${userId} and transfer_expires_at > ${now}
      and ${isNotTakenBack(sql`homes.project_id`, sql`homes.transfer_session`)}`);
  if (taken === 0) return undefined;
  // The former owner first, so that there are never two owners.
  const former = await db.one<{ userId: string }>(sql`
    update home_members set role = ${hasRoles ? 'admin' : 'member'}, revision = revision + 1
    where project_id = ${projectId} and home_id = ${homeId} and role = 'owner' returning user_id as "userId"`);
  await db.run(sql`
    update home_members set role = 'owner', guest_from = null, guest_until = null, guest_weekly = null,
      revision = revision + 1
    where project_id = ${projectId} and home_id = ${homeId} and user_id = ${userId}`);
  await db.run(sql`
    delete from home_guest_devices
    where project_id = ${projectId} and home_id = ${homeId} and user_id = ${userId}`);
  return former?.userId;
}

/** Deletes expired offers. */
export const expiredTransfers: Chore = {
  name: 'offers of homes',
  deletes: now => sql`
    update homes set transfer_to = null, transfer_offered_at = null, transfer_expires_at = null,
      transfer_session = null, revision = revision + 1
    where id in (select id from homes where transfer_expires_at <= ${now} limit ${batch}) returning 1`,
};
