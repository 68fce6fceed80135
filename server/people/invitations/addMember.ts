import type { GuestAccess, HomeInvitation, HomeRole } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import type { Actor } from '#server/api/logs/append.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { checkRoomForMember, joinHome } from '#server/people/homes/changeMembers.ts';
import { invitationLink } from './invitationLink.ts';
import { mailAddition, mailInvitation } from './invitationMails.ts';
import { findInvitation, insertInvitation, toInvitation } from './invitations.ts';

interface Place {
  projectId: string;
  homeId: string;
}

interface Given {
  role: HomeRole;
  guest?: GuestAccess | undefined;
  now: Date;
}

/** Invites an address to a locked home and sends the e-mail. */
export async function inviteByMail(
  db: Db,
  platform: Platform,
  place: Place,
  { email, inviter, session, ...given }: Given & { email: string; inviter: Actor; session?: string },
): Promise<HomeInvitation> {
  await refuseMember(db, place, email);
  await checkRoomForMember(db, place);
  const id = platform.newId('hin', given.now);
  const token = await insertInvitation(db, place, { ...given, id, email, inviter, session });
  const byUser = inviter.callerType === 'user' ? inviter.id : undefined;
  const url = invitationLink(platform, { projectId: place.projectId, token });
  await mailInvitation(db, platform, { ...place, email, role: given.role, byUser }, url);
  const made = await findInvitation(db, sql`i.project_id = ${place.projectId} and i.id = ${id}`, given.now);
  if (!made) throw new Error(`Invitation ${id} has gone.`);
  return toInvitation(made);
}

/** Adds a user to a locked home and notifies them. */
export async function addUser(
  db: Db,
  platform: Platform,
  place: Place,
  { user, ...given }: Given & { user: { id: string; email: string | null } },
): Promise<void> {
  await joinHome(db, place, { userId: user.id, ...given });
  if (user.email !== null)
    await mailAddition(db, platform, { ...place, email: user.email, role: given.role });
}

async function refuseMember(db: Db, { projectId, homeId }: Place, email: string): Promise<void> {
  const member = await db.one(sql`
    select 1 as found from home_members m join users u on u.project_id = m.project_id and u.id = m.user_id
    where m.project_id = ${projectId} and m.home_id = ${homeId} and u.email = ${email}`);
  if (member) throw new Problem('ALREADY_A_HOME_MEMBER', { fields: { email: 'ALREADY_A_HOME_MEMBER' } });
}
