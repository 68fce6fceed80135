import { z } from 'zod';
import { endpoint, roles } from './endpoint.ts';
import { email, revision, time } from './shapes.ts';

export const Member = z.object({
  developerId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  /** True: invited, and the account is not made yet. */
  pending: z.boolean(),
  since: time,
  revision,
});
export type Member = z.output<typeof Member>;

export const listMembers = endpoint('listMembers', 'GET /projects/:projectId/members', {
  summary: 'Lists the team: members, and invitations not yet accepted.',
  access: { role: 'viewer', of: 'project' },
  answer: z.array(Member),
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});

export const addMember = endpoint('addMember', 'POST /projects/:projectId/members', {
  summary:
    'Adds someone by e-mail (form-encoded). With an account: added and told. Without: invited to make one. Calling it again for a pending one sends the invitation anew.',
  access: { role: 'owner', of: 'project' },
  form: true,
  body: z.strictObject({ email, role: z.enum(roles).optional() }),
  answer: Member,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'ROLE_TOO_LOW', 'ALREADY_A_MEMBER', 'TEAM_FULL'],
  audit: '{email} added to the team as {role}',
});

export const editMember = endpoint('editMember', 'PATCH /projects/:projectId/members/:developerId', {
  summary: 'Changes what a member may do.',
  access: { role: 'owner', of: 'member' },
  body: z.strictObject({ role: z.enum(roles) }),
  answer: Member,
  reasons: ['MEMBER_NOT_FOUND', 'ROLE_TOO_LOW', 'LAST_OWNER', 'STALE'],
  audit: '{email} made {role}',
});

export const removeMember = endpoint('removeMember', 'DELETE /projects/:projectId/members/:developerId', {
  summary: 'Removes a member, or yourself. The last member and the last owner stay.',
  access: { role: 'viewer', of: 'member' },
  reasons: ['MEMBER_NOT_FOUND', 'ROLE_TOO_LOW', 'LAST_MEMBER', 'LAST_OWNER'],
  audit: '{email} removed from the team',
});
