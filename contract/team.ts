import { z } from 'zod';
import { hourS } from '#rules/time/durations.ts';
import { endpoint, roles } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { email, revision, time } from './shapes.ts';

export const Member = z.object({
  developerId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  /** True: invited, but the account is not activated yet. */
  pending: z.boolean(),
  since: time,
  revision,
});
export type Member = z.output<typeof Member>;

export const listMembers = endpoint('listMembers', 'GET /projects/:projectId/members', {
  summary: 'Lists team members and pending invitations.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['name', 'since'], default: 'name:asc', whole: true },
  answer: z.array(Member),
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});

export const addMember = endpoint('addMember', 'POST /projects/:projectId/members', {
  summary:
    'Adds a team member by e-mail (form-encoded). Someone with an account is added and notified; anyone else is invited to create one. Repeat the call to resend a pending invitation.',
  access: { role: 'owner', of: 'project' },
  form: true,
  body: z.strictObject({ email, role: z.enum(roles).optional() }),
  answer: Member,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'ROLE_TOO_LOW', 'ALREADY_A_MEMBER', 'TEAM_FULL'],
  audit: '{email} added to the team as {role}',
  // Each call sends an e-mail to an arbitrary address.
  limit: { count: 60, windowS: hourS },
});

export const editMember = endpoint('editMember', 'PATCH /projects/:projectId/members/:developerId', {
  summary: 'Changes the role of a team member.',
  access: { role: 'owner', of: 'member' },
  body: z.strictObject({ role: z.enum(roles) }),
  answer: Member,
  reasons: ['MEMBER_NOT_FOUND', 'ROLE_TOO_LOW', 'LAST_OWNER', 'STALE'],
  audit: 'Role of {email} changed to {role}',
  makesOld: ['projects'],
});

export const removeMember = endpoint('removeMember', 'DELETE /projects/:projectId/members/:developerId', {
  summary: 'Removes a team member, or yourself. The last member and the last owner cannot be removed.',
  access: { role: 'viewer', of: 'member' },
  tokenScope: 'none',
  reasons: ['MEMBER_NOT_FOUND', 'ROLE_TOO_LOW', 'LAST_MEMBER', 'LAST_OWNER'],
  audit: '{email} removed from the team',
  makesOld: ['projects'],
});
