import type { listMyInvitations, MyInvitation } from '#contract/appApi/home.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { contains } from '#server/infra/db/contains.ts';
import { pageOf } from '#server/infra/db/rows.ts';
import { empty, sql } from '#server/infra/db/sql.ts';
import { type InvitationRow, invitationColumns } from './invitations.ts';
import { isOpen } from './openInvitation.ts';

type Row = InvitationRow & { homeName: string };

/** The open invitations to the user's address, which the user must have verified. */
export async function myInvitations({
  db,
  inApp,
  user,
  page,
  now,
}: Call<typeof listMyInvitations>): Promise<{ items: MyInvitation[]; total: number }> {
  const email = user.verified ? user.email : undefined;
  const searched = page.search ? sql`and ${contains(sql`h.search`, page.search)}` : empty;
  return pageOf(db, {
    columns: sql`${invitationColumns}, h.name as "homeName"`,
    from: sql`home_invitations i join homes h on h.project_id = i.project_id and h.id = i.home_id`,
    where: sql`
      i.project_id = ${inApp.projectId} and i.email = ${email ?? null} and ${isOpen(now)} ${searched}`,
    orders: { createdAt: 'i.created_at' },
    key: sql`i.id`,
    page,
    as: (row: Row) => toMyInvitation(row, inApp.projectName),
  });
}

/** Users do not learn who the developers are: their invitations come from the project. */
function toMyInvitation(row: Row, projectName: string): MyInvitation {
  const { id, homeId, homeName, role, guest, inviterType, inviterId, inviterName, expiresAt } = row;
  return {
    id,
    role,
    home: { id: homeId, name: homeName },
    ...(guest && { guest }),
    invitedBy: inviterType === 'user' ? { id: inviterId, name: inviterName } : { id: '', name: projectName },
    expiresAt: expiresAt.toISOString(),
  };
}
