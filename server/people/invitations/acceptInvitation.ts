import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';
import { joinHome, lockHome } from '#server/people/homes/changeMembers.ts';
import { deleteInvitation, findInvitation, type InvitationRow } from './invitations.ts';

type ByUser = Pick<Call, 'db' | 'inApp' | 'user' | 'now'>;

/** Uses up an invitation and adds the user to the home. Of two concurrent calls, one succeeds. */
export async function acceptOpen(
  call: ByUser,
  { invitationId, token }: { invitationId?: string | undefined; token?: string | undefined },
): Promise<InvitationRow> {
  const { db, inApp, user, now } = call;
  const { projectId } = inApp;
  const [named, missing] =
    token === undefined
      ? ([toUser(call, invitationId ?? ''), 'INVITATION_NOT_FOUND'] as const)
      : ([sql`i.project_id = ${projectId} and i.token_hash = ${hashToken(token)}`, 'INVALID_LINK'] as const);
  const seen = await findInvitation(db, named, now);
  if (!seen) throw new Problem(missing);
  const place = { projectId, homeId: seen.homeId };
  await lockHome(db, place);
  // Read again, now that the home is locked.
  const invitation = await findInvitation(db, named, now);
  if (!invitation) throw new Problem(missing);
  const { role, guest } = invitation;
  await joinHome(db, place, { userId: user.id, role, guest: guest ?? undefined, now });
  await deleteInvitation(db, place, invitation.id);
  return invitation;
}

export async function declineOpen(call: ByUser, invitationId: string): Promise<InvitationRow> {
  const { db, inApp, now } = call;
  const invitation = await findInvitation(db, toUser(call, invitationId), now);
  const place = invitation && { projectId: inApp.projectId, homeId: invitation.homeId };
  if (!place || !(await deleteInvitation(db, place, invitationId))) throw new Problem('INVITATION_NOT_FOUND');
  return invitation;
}

/** An invitation is found by its id only if the user has verified the address it was sent to. */
function toUser({ inApp, user }: ByUser, invitationId: string): Sql {
  const email = user.verified ? user.email : undefined;
  return sql`i.project_id = ${inApp.projectId} and i.id = ${invitationId} and i.email = ${email ?? null}`;
}
