import type { Role } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { addMember, editMember, listMembers, type Member, removeMember } from '#contract/team.ts';
import { invite } from '#server/accounts/developers/invite.ts';
import { mailTo } from '#server/accounts/developers/mailTo.ts';
import { findByEmail } from '#server/accounts/developers/store.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { mustOwn } from '#server/api/access/access.ts';
import { checkRoom } from '#server/api/access/inProject.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { addedToProjectNotice } from '#server/mail/sending/notices.ts';
import {
  countOthers,
  deleteMember,
  findMember,
  insertMember,
  memberResource,
  membersMax,
  membersOf,
  setRole,
} from './store.ts';

export const team: Slice = {
  tables: { project_members: 'A team member of a project and their role.' },
  resources: { member: memberResource },
  routes: [
    on(listMembers, ({ db, params, page }) => membersOf(db, params.projectId, page)),

    on(addMember, async call => {
      const { db, params, body } = call;
      await checkRoom(db, params.projectId, {
        table: 'project_members',
        max: membersMax,
        reason: 'TEAM_FULL',
      });
      const developerId = await addedOrInvited(call, normalEmail(body.email), body.role ?? 'developer');
      return read(call, developerId);
    }),

    on(editMember, async call => {
      const { db, params, body } = call;
      if (body.role !== 'owner') await checkOwnerStays(call, 'LAST_OWNER');
      await setRole(db, params.projectId, params.developerId, body.role);
      return read(call, params.developerId);
    }),

    on(removeMember, async call => {
      const { db, params, me } = call;
      if (params.developerId !== me.developerId) mustOwn(call);
      await checkOwnerStays(call, 'LAST_MEMBER');
      await deleteMember(db, params.projectId, params.developerId);
    }),
  ],
};

/**
 * Keeps the last owner, because a project without an owner could never be changed again. Only leaving as the last
 * member has its own reason.
 */
async function checkOwnerStays(
  { db, params, row }: Call<typeof editMember> | Call<typeof removeMember>,
  alone: 'LAST_MEMBER' | 'LAST_OWNER',
): Promise<void> {
  if (row.role !== 'owner') return;
  const others = await countOthers(db, params.projectId, params.developerId);
  if (others.members === 0) throw new Problem(alone);
  if (others.owners === 0) throw new Problem('LAST_OWNER');
}

/** Adds and notifies a developer with an account; invites anyone else. A pending invitation is sent again. */
async function addedOrInvited(call: Call<typeof addMember>, email: string, role: Role): Promise<string> {
  const { db, me, platform, params, now } = call;
  const project = call.row.name;
  const invited = await invite(db, platform, { orgId: me.orgId, email, by: { inviter: me.name, project } });
  const row = await findByEmail(db, me.orgId, email);
  if (!row) throw new Problem('DEVELOPER_NOT_FOUND');
  const member = await findMember(db, params.projectId, row.id);
  if (member && !invited) throw new Problem('ALREADY_A_MEMBER', { fields: { email: 'ALREADY_A_MEMBER' } });
  if (member) return row.id;
  await insertMember(db, { projectId: params.projectId, developerId: row.id, role, now });
  if (!invited) {
    const said = { name: row.name, inviter: me.name, project, projectId: params.projectId };
    await mailTo(db, platform, row, baseUrl => addedToProjectNotice({ baseUrl, ...said }));
  }
  return row.id;
}

async function read(
  { db, params }: { db: Call['db']; params: { projectId: string } },
  developerId: string,
): Promise<Member> {
  const member = await findMember(db, params.projectId, developerId);
  if (!member) throw new Problem('MEMBER_NOT_FOUND');
  return member;
}
