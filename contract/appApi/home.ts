import { z } from 'zod';
import { hourS } from '#rules/time/durations.ts';
import { endpoint, homeRights } from '../endpoint.ts';
import { GuestAccess, HomeInvitation, homeFields, homeRoles, memberFields } from '../home.ts';
import { Released } from '../homeDevice.ts';
import { pagingQuery } from '../paging.ts';
import { email, revision, time, token } from '../shapes.ts';

const person = z.object({ id: z.string(), name: z.string() });

export const MyHome = z.object({
  id: z.string(),
  name: z.string(),
  timeZone: z.string(),
  /** False: the home is visible, but nothing in it can be controlled. */
  active: z.boolean(),
  role: z.enum(homeRoles),
  /** What the user may currently do; for a guest, on the devices listed for them. */
  rights: z.array(z.enum(homeRights)),
  /** For guests: what they may access, and when. */
  guest: GuestAccess.optional(),
  owner: person,
  memberCount: z.number().int(),
  deviceCount: z.number().int(),
  /** A pending transfer to a member, who becomes the owner by accepting it. */
  transfer: z.object({ to: person, expiresAt: time }).optional(),
  createdAt: time,
  revision,
});
export type MyHome = z.output<typeof MyHome>;

export const MyHomeMember = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string().optional(),
  role: z.enum(homeRoles),
  rights: z.array(z.enum(homeRights)),
  guest: GuestAccess.optional(),
  joinedAt: time,
  revision,
});
export type MyHomeMember = z.output<typeof MyHomeMember>;

/** An invitation as the invited person sees it. */
export const MyInvitation = z.object({
  id: z.string(),
  home: z.object({ id: z.string(), name: z.string() }),
  role: z.enum(homeRoles),
  guest: GuestAccess.optional(),
  invitedBy: person,
  expiresAt: time,
});
export type MyInvitation = z.output<typeof MyInvitation>;

const reasons = ['HOME_NOT_FOUND'] as const;
const inviting = [...reasons, 'HOME_RIGHT_MISSING'] as const;
const roleReasons = ['LEGACY_ACCESS_CONTROL', 'GUEST_UNFIT'] as const;
const makesOld = ['homes', 'users'] as const;

export const listMyHomes = endpoint('listMyHomes', 'GET /homes', {
  summary: 'Lists the homes of the user.',
  access: 'user',
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['name'], default: 'name:asc', whole: true },
  answer: z.array(MyHome),
});

export const createMyHome = endpoint('createMyHome', 'POST /homes', {
  summary: 'Creates a home; the user becomes its owner.',
  access: 'user',
  body: z.strictObject(homeFields),
  answer: MyHome,
  reasons: ['HOME_CREATION_RESTRICTED', 'TOO_MANY_HOMES', 'TIME_ZONE_UNKNOWN'],
  audit: 'Home {name} created',
  makesOld,
});

export const readMyHome = endpoint('readMyHome', 'GET /homes/:homeId', {
  summary: 'Retrieves a home.',
  access: { right: 'view', of: 'home' },
  answer: MyHome,
  reasons,
});

export const editMyHome = endpoint('editMyHome', 'PATCH /homes/:homeId', {
  summary: 'Updates the name and time zone of a home.',
  access: { right: 'configure', of: 'home' },
  body: z.strictObject(homeFields).partial(),
  answer: MyHome,
  reasons: [...inviting, 'STALE', 'TIME_ZONE_UNKNOWN'],
  audit: 'Home {name} changed',
  makesOld,
});

export const deleteMyHome = endpoint('deleteMyHome', 'DELETE /homes/:homeId', {
  summary: 'Deletes a home and releases its devices, each with a new claim code.',
  access: { right: 'own', of: 'home' },
  reasons: [...inviting, 'STALE', 'PROOF_REQUIRED'],
  audit: 'Home {name} deleted',
  makesOld: [...makesOld, 'devices', 'stats'],
});

export const listMyHomeMembers = endpoint('listMyHomeMembers', 'GET /homes/:homeId/members', {
  summary: 'Lists the members of a home. Guests see themselves and the owner.',
  access: { right: 'view', of: 'home' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['joinedAt'], default: 'joinedAt:asc', whole: true },
  answer: z.array(MyHomeMember),
  reasons,
});

export const editMyHomeMember = endpoint('editMyHomeMember', 'PATCH /homes/:homeId/members/:userId', {
  summary: 'Changes the role of a member with a lower role than yours, or the access of a guest.',
  access: { right: 'invite', of: 'home' },
  body: z.strictObject(memberFields).partial(),
  answer: MyHomeMember,
  reasons: [...inviting, 'HOME_MEMBER_NOT_FOUND', 'STALE', 'HOME_OWNER', ...roleReasons],
  audit: 'Role of {userId} in home {homeId} changed',
  ifMatch: 'part',
  makesOld,
});

export const removeMyHomeMember = endpoint('removeMyHomeMember', 'DELETE /homes/:homeId/members/:userId', {
  summary:
    'Removes a member with a lower role than yours. With your own id, you leave the home; the owner must transfer or delete it instead.',
  access: { right: 'view', of: 'home' },
  reasons: [...inviting, 'HOME_MEMBER_NOT_FOUND', 'STALE', 'HOME_OWNER'],
  audit: '{userId} removed from home {homeId}',
  ifMatch: 'part',
  makesOld,
});

export const listMyHomeInvitations = endpoint('listMyHomeInvitations', 'GET /homes/:homeId/invitations', {
  summary: 'Lists the open invitations to a home.',
  access: { right: 'invite', of: 'home' },
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['createdAt'], default: 'createdAt:asc', whole: true },
  answer: z.array(HomeInvitation),
  reasons: inviting,
});

export const inviteToHome = endpoint('inviteToHome', 'POST /homes/:homeId/invitations', {
  summary:
    'Invites a person by e-mail to a role lower than yours. The invitation is valid for 7 days. A person with an account also finds it at `GET /invitations`.',
  access: { right: 'invite', of: 'home' },
  body: z.strictObject({ email: email.meta({ examples: ['grace@example.com'] }), ...memberFields }),
  answer: HomeInvitation,
  reasons: [
    ...inviting,
    ...roleReasons,
    'ALREADY_A_HOME_MEMBER',
    'HOME_FULL',
    'TOO_MANY_INVITATIONS',
    'EXTERNAL_ACCOUNTS',
  ],
  audit: '{email} invited to home {homeId}',
  makesOld: [...makesOld, 'invitations'],
  limit: { count: 60, windowS: hourS },
});

export const revokeMyHomeInvitation = endpoint(
  'revokeMyHomeInvitation',
  'DELETE /homes/:homeId/invitations/:invitationId',
  {
    summary: 'Revokes an invitation.',
    access: { right: 'invite', of: 'home' },
    reasons: [...inviting, 'INVITATION_NOT_FOUND'],
    audit: 'An invitation to home {homeId} revoked',
    ifMatch: 'part',
    makesOld: [...makesOld, 'invitations'],
  },
);

export const listMyInvitations = endpoint('listMyInvitations', 'GET /invitations', {
  summary: 'Lists the open invitations to the user’s verified e-mail address.',
  access: 'user',
  query: z.strictObject(pagingQuery),
  list: { sortBy: ['createdAt'], default: 'createdAt:asc', whole: true },
  answer: z.array(MyInvitation),
});

export const acceptInvitation = endpoint('acceptInvitation', 'POST /invitations/accept', {
  summary:
    'Accepts an invitation: by its id if it was sent to the user’s verified address, or by the token from the e-mail.',
  access: 'user',
  body: z.strictObject({ invitationId: z.string().max(64).optional(), token: token.optional() }),
  answer: MyHome,
  reasons: ['INVITATION_NOT_FOUND', 'INVALID_LINK', 'HOME_FULL', 'TOO_MANY_HOMES', 'ALREADY_A_HOME_MEMBER'],
  audit: 'Invitation to home {name} accepted',
  makesOld: [...makesOld, 'invitations', 'members'],
});

export const declineInvitation = endpoint('declineInvitation', 'DELETE /invitations/:invitationId', {
  summary: 'Declines an invitation to the user’s verified address.',
  access: 'user',
  reasons: ['INVITATION_NOT_FOUND'],
  audit: 'An invitation declined',
  makesOld: [...makesOld, 'invitations'],
});

export const offerMyHome = endpoint('offerMyHome', 'POST /homes/:homeId/transfer', {
  summary: 'Offers the home to a member, who becomes its owner by accepting within 7 days.',
  access: { right: 'own', of: 'home' },
  body: z.strictObject({ userId: z.string().max(64) }),
  answer: MyHome,
  reasons: [...inviting, 'HOME_MEMBER_NOT_FOUND', 'PROOF_REQUIRED', 'HOME_OWNER'],
  audit: 'Home {name} offered to {userId}',
  // Each offer sends e-mails to two people.
  limit: { count: 60, windowS: hourS },
  makesOld,
});

export const withdrawMyHomeOffer = endpoint('withdrawMyHomeOffer', 'DELETE /homes/:homeId/transfer', {
  summary: 'Withdraws the offer of the home, or declines it if it was offered to you.',
  access: { right: 'view', of: 'home' },
  answer: MyHome,
  reasons: [...inviting, 'NO_TRANSFER', 'STALE'],
  audit: 'Offer of home {name} withdrawn',
  makesOld,
});

export const acceptHomeTransfer = endpoint('acceptHomeTransfer', 'POST /homes/:homeId/transfer/accept', {
  summary: 'Accepts a home that was offered to the user. The former owner becomes an admin or a member.',
  access: { right: 'view', of: 'home' },
  answer: MyHome,
  reasons: [...reasons, 'NO_TRANSFER', 'TOO_MANY_HOMES'],
  audit: 'Home {name} accepted',
  makesOld: [...makesOld, 'members'],
});

export const resellMyHome = endpoint('resellMyHome', 'POST /homes/:homeId/resale', {
  summary:
    'Exports, erases and releases every device of the home, each with a new claim code for the next owner.',
  access: { right: 'own', of: 'home' },
  answer: z.object({ exportId: z.string(), devices: z.array(Released) }),
  reasons: [...inviting, 'PROOF_REQUIRED'],
  audit: 'Devices of home {name} prepared for resale',
  makesOld: [...makesOld, 'devices', 'stats'],
});
