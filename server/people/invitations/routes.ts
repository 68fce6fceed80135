import { addHomeMember, listHomeInvitations, revokeHomeInvitation } from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { lockHome } from '#server/people/homes/changeMembers.ts';
import { findMember, toMember } from '#server/people/homes/members.ts';
import { checkTerms } from '#server/people/homes/terms.ts';
import { addUser, inviteByMail } from './addMember.ts';
import {
  deleteInvitation,
  expiredInvitations,
  forgetInvitations,
  invitationsOf,
  toInvitation,
} from './invitations.ts';
import { myInvitationRoutes } from './myInvitationRoutes.ts';

export const homeInvitations: Slice = {
  tables: { home_invitations: 'An open invitation to a home, by e-mail.' },
  idPrefixes: ['hin'],
  chores: [expiredInvitations],
  forgetsUser: forgetInvitations,
  appRoutes: myInvitationRoutes,
  routes: [
    on(addHomeMember, async call => {
      const { db, row, body, platform, now } = call;
      const place = { projectId: row.projectId, homeId: row.id };
      if ((body.email === undefined) === (body.userId === undefined))
        throw new Problem('INVALID_FIELDS', {
          message: 'Send either email or userId.',
          fields: { email: 'INVALID', userId: 'INVALID' },
        });
      if (!(await lockHome(db, place))) throw new Problem('HOME_NOT_FOUND');
      const { hasRoles, takesMail } = await optionsOf(db, row.projectId);
      const terms = await checkTerms(db, { ...place, hasRoles }, body);
      const email = body.email === undefined ? undefined : normalEmail(body.email);
      const user = await findUser(db, row.projectId, { id: body.userId, email });
      if (user) {
        await addUser(db, platform, place, { user, ...terms, now });
        const member = await findMember(db, place, user.id);
        return { ...(member && { member: toMember(member) }) };
      }
      if (email === undefined || !takesMail) throw new Problem('USER_NOT_FOUND');
      const inviter = actorOf(call);
      const invitation = await inviteByMail(db, platform, place, { email, inviter, ...terms, now });
      return { invitation };
    }),

    on(listHomeInvitations, async ({ db, row, page, now }) => {
      const { items, total } = await invitationsOf(
        db,
        { projectId: row.projectId, homeId: row.id },
        page,
        now,
      );
      return { items: items.map(toInvitation), total };
    }),

    on(revokeHomeInvitation, async call => {
      const { db, row, params } = call;
      const place = { projectId: row.projectId, homeId: row.id };
      if (!(await deleteInvitation(db, place, params.invitationId)))
        throw new Problem('INVITATION_NOT_FOUND');
      call.before = { invitationId: params.invitationId };
    }),
  ],
};

async function optionsOf(db: Db, projectId: string): Promise<{ hasRoles: boolean; takesMail: boolean }> {
  const project = await db.one<{ hasRoles: boolean; takesMail: boolean }>(sql`
    select permission_based_access_control as "hasRoles", user_account_mode = 'email' as "takesMail"
    from projects where id = ${projectId}`);
  if (!project) throw new Problem('PROJECT_NOT_FOUND');
  return project;
}

function findUser(
  db: Db,
  projectId: string,
  { id, email }: { id: string | undefined; email: string | undefined },
): Promise<{ id: string; email: string | null } | undefined> {
  const named = id === undefined ? sql`email = ${email}` : sql`id = ${id}`;
  return db.one(sql`select id, email from users where project_id = ${projectId} and ${named}`);
}
