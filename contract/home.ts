import { z } from 'zod';
import { endpoint, homeRights } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { email, line, moment, nameMax, projectUnless, revision, time } from './shapes.ts';

/** Weakest first. With legacy access control there are only members and an owner, who have the same rights. */
export const homeRoles = ['guest', 'member', 'admin', 'owner'] as const;
export type HomeRole = (typeof homeRoles)[number];

/** Limits per home; `invitations` are open invitations. */
export const homeMax = { members: 100, devices: 999, invitations: 50 };
/** The maximum number of homes a user can be a member of. */
export const homesOfUserMax = 100;

/** A home's id: digits. */
export const homeId = z.string().regex(/^\d{1,18}$/);
/** An IANA time zone; the server checks that it exists. */
export const timeZone = line(64);
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** A guest's access: only to the listed devices, and only within this time. */
export const GuestAccess = z.strictObject({
  devices: z
    .array(z.strictObject({ deviceId: z.string().max(64), mayControl: z.boolean() }))
    .max(homeMax.devices),
  /** Absent: no beginning, no end. */
  from: moment.optional(),
  until: moment.optional(),
  /** Only on these days of the week (1 is Monday), between these times in the time zone of the home. */
  weekly: z
    .strictObject({
      days: z.array(z.number().int().min(1).max(7)).min(1).max(7),
      from: clockTime,
      to: clockTime,
    })
    .optional(),
});
export type GuestAccess = z.output<typeof GuestAccess>;

export const Home = z.object({
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  timeZone: z.string(),
  /** False: the home is visible, but commands and desired states are rejected. */
  active: z.boolean(),
  owner: z.object({ id: z.string(), name: z.string(), email: z.string().optional() }),
  memberCount: z.number().int(),
  deviceCount: z.number().int(),
  /** The app in which the home was created; absent if a developer or a back end created it. */
  createdIn: z.string().optional(),
  /** A transfer that was offered but not accepted yet. */
  transfer: z
    .object({ to: z.object({ id: z.string(), name: z.string() }), offeredAt: time, expiresAt: time })
    .optional(),
  createdAt: time,
  revision,
});
export type Home = z.output<typeof Home>;

export const HomeMember = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string().optional(),
  role: z.enum(homeRoles),
  /** What the role allows; for a guest, on the devices listed in `guest`. */
  rights: z.array(z.enum(homeRights)),
  guest: GuestAccess.optional(),
  suspended: z.boolean(),
  joinedAt: time,
  lastSeenAt: time.optional(),
  revision,
});
export type HomeMember = z.output<typeof HomeMember>;

export const HomeInvitation = z.object({
  id: z.string(),
  homeId: z.string(),
  email: z.string(),
  role: z.enum(homeRoles),
  guest: GuestAccess.optional(),
  invitedBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: time,
  expiresAt: time,
});
export type HomeInvitation = z.output<typeof HomeInvitation>;

/** Without the owner: only a transfer makes somebody the owner. */
export const memberRole = z.enum(['guest', 'member', 'admin']).meta({ examples: ['member'] });
/** `guest` is required for guests and rejected for other roles. */
export const memberFields = { role: memberRole, guest: GuestAccess.optional() };
export const homeFields = { name: line(nameMax), timeZone };

const inProject = ['PROJECT_NOT_DEFINED', 'PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = ['HOME_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;
const roleReasons = ['LEGACY_ACCESS_CONTROL', 'GUEST_UNFIT'] as const;

export const listHomes = endpoint('listHomes', 'GET /homes', {
  summary:
    'Lists the homes of a project, or the homes a user is a member of: send `projectId` or `userId`. `search` matches names and ids.',
  access: { role: 'viewer', of: 'homeList' },
  query: z.strictObject({
    projectId: projectUnless('userId'),
    userId: z.string().max(64).optional(),
    active: z.enum(['true', 'false']).optional(),
    ...pagingQuery,
  }),
  list: { sortBy: ['name', 'createdAt'], default: 'name:asc' },
  answer: z.array(Home),
  reasons: [...inProject, 'USER_NOT_FOUND'],
  capability: 'canAdmin',
});

export const createHome = endpoint('createHome', 'POST /homes', {
  summary: 'Creates a home for a user, who becomes its owner.',
  access: { role: 'developer', of: 'project' },
  body: z.strictObject({ projectId: z.string().max(64), ownerId: z.string().max(64), ...homeFields }),
  answer: Home,
  reasons: [...inProject, 'ROLE_TOO_LOW', 'USER_NOT_FOUND', 'TOO_MANY_HOMES', 'TIME_ZONE_UNKNOWN'],
  audit: 'Home {name} created',
  makesOld: ['users'],
  capability: 'canAdmin',
});

export const readHome = endpoint('readHome', 'GET /homes/:homeId', {
  summary: 'Retrieves a home.',
  access: { role: 'viewer', of: 'home' },
  answer: Home,
  reasons,
  capability: 'canAdmin',
});

export const editHome = endpoint('editHome', 'PATCH /homes/:homeId', {
  summary: 'Updates a home. While it is not active, its members see it but cannot control anything.',
  access: { role: 'developer', of: 'home' },
  body: z.strictObject({ ...homeFields, active: z.boolean() }).partial(),
  answer: Home,
  reasons: [...changing, 'TIME_ZONE_UNKNOWN'],
  audit: 'Home {name} changed',
  makesOld: ['users', 'devices'],
  capability: 'canAdmin',
});

export const deleteHome = endpoint('deleteHome', 'DELETE /homes/:homeId', {
  summary:
    'Deletes a home. Its devices are released: their desired state, events and history from the home are erased, and each gets a new claim code.',
  access: { role: 'developer', of: 'home' },
  reasons: changing,
  audit: 'Home {name} deleted',
  makesOld: ['users', 'devices'],
  capability: 'canAdmin',
});

export const listHomeMembers = endpoint('listHomeMembers', 'GET /homes/:homeId/members', {
  summary: 'Lists the members of a home with their roles and rights.',
  access: { role: 'viewer', of: 'home' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['name', 'joinedAt'], default: 'joinedAt:asc', whole: true },
  answer: z.array(HomeMember),
  reasons,
  capability: 'canAdmin',
});

export const addHomeMember = endpoint('addHomeMember', 'POST /homes/:homeId/members', {
  summary:
    'Adds a user of the project to a home, by e-mail address or id, and notifies them by e-mail. A person without an account is invited instead, and the response contains the invitation.',
  access: { role: 'developer', of: 'home' },
  body: z
    .strictObject({ email: email.optional(), userId: z.string().max(64).optional(), ...memberFields })
    .meta({ examples: [{ email: 'grace@example.com', role: 'member' }] }),
  answer: z.object({ member: HomeMember.optional(), invitation: HomeInvitation.optional() }),
  reasons: [
    ...reasons,
    ...roleReasons,
    'ROLE_TOO_LOW',
    'USER_NOT_FOUND',
    'ALREADY_A_HOME_MEMBER',
    'HOME_FULL',
    'TOO_MANY_INVITATIONS',
  ],
  audit: 'Member added to home {homeId}',
  makesOld: ['homes', 'users', 'invitations'],
  capability: 'canAdmin',
});

export const editHomeMember = endpoint('editHomeMember', 'PATCH /homes/:homeId/members/:userId', {
  summary: 'Changes the role of a member, or the access of a guest.',
  access: { role: 'developer', of: 'homeMember' },
  body: z.strictObject(memberFields).partial(),
  answer: HomeMember,
  reasons: ['HOME_MEMBER_NOT_FOUND', 'ROLE_TOO_LOW', 'STALE', 'HOME_OWNER', ...roleReasons],
  audit: 'Role of {name} in home {homeId} changed',
  makesOld: ['homes', 'users'],
  capability: 'canAdmin',
});

export const removeHomeMember = endpoint('removeHomeMember', 'DELETE /homes/:homeId/members/:userId', {
  summary: 'Removes a member from a home. Their event streams stop receiving its messages at once.',
  access: { role: 'developer', of: 'homeMember' },
  reasons: ['HOME_MEMBER_NOT_FOUND', 'ROLE_TOO_LOW', 'STALE', 'HOME_OWNER'],
  audit: '{name} removed from home {homeId}',
  makesOld: ['homes', 'users'],
  capability: 'canAdmin',
});

export const listHomeInvitations = endpoint('listHomeInvitations', 'GET /homes/:homeId/invitations', {
  summary: 'Lists the invitations to a home that are neither accepted nor expired.',
  access: { role: 'viewer', of: 'home' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['createdAt'], default: 'createdAt:asc', whole: true },
  answer: z.array(HomeInvitation),
  reasons,
  capability: 'canAdmin',
});

export const revokeHomeInvitation = endpoint(
  'revokeHomeInvitation',
  'DELETE /homes/:homeId/invitations/:invitationId',
  {
    summary: 'Revokes an invitation. Its link stops working at once.',
    access: { role: 'developer', of: 'home' },
    reasons: [...reasons, 'ROLE_TOO_LOW', 'INVITATION_NOT_FOUND'],
    audit: 'An invitation to home {homeId} revoked',
    capability: 'canAdmin',
  },
);

export const offerHomeTransfer = endpoint('offerHomeTransfer', 'POST /homes/:homeId/transfer', {
  summary:
    'Offers a home to one of its members, who becomes its owner by accepting within 7 days. Both are notified by e-mail.',
  access: { role: 'developer', of: 'home' },
  body: z.strictObject({ userId: z.string().max(64) }),
  answer: Home,
  reasons: [...reasons, 'ROLE_TOO_LOW', 'HOME_MEMBER_NOT_FOUND', 'HOME_OWNER'],
  audit: 'Home {name} offered to {userId}',
  makesOld: ['homes'],
  capability: 'canAdmin',
});

export const withdrawHomeTransfer = endpoint('withdrawHomeTransfer', 'DELETE /homes/:homeId/transfer', {
  summary: 'Withdraws the offer to transfer a home.',
  access: { role: 'developer', of: 'home' },
  answer: Home,
  reasons: [...changing, 'NO_TRANSFER'],
  audit: 'Offer of home {name} withdrawn',
  makesOld: ['homes'],
  capability: 'canAdmin',
});
