import { editMyHomeMember, listMyHomeMembers, removeMyHomeMember } from '#contract/appApi/home.ts';
import { Problem } from '#contract/problem.ts';
import { mayManage } from '#rules/homes/homeRights.ts';
import { refuseStale } from '#server/api/endpoints/ifMatch.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { deleteMember, setTerms } from './changeMembers.ts';
import { findMember, type MemberRow, membersOf, toMyMember } from './members.ts';
import { checkTerms } from './terms.ts';

type InHome = Pick<Call, 'db' | 'inApp' | 'user' | 'membership'> & { params: { homeId: string } };

const placeOf = ({ inApp, params }: Pick<InHome, 'inApp' | 'params'>) => ({
  projectId: inApp.projectId,
  homeId: params.homeId,
});

export const myMemberRoutes = [
  on(listMyHomeMembers, async call => {
    const { db, page, user } = call;
    const seen = isGuest(call) ? { seenBy: user.id } : {};
    const { items, total } = await membersOf(db, placeOf(call), page, seen);
    return { items: items.map(row => seenByCaller(call, row)), total };
  }),

  on(editMyHomeMember, async call => {
    const { db, inApp, params, body } = call;
    const place = placeOf(call);
    const member = await memberBelow(call, params.userId);
    refuseStale(call, member);
    const before = toMyMember(member);
    const role = body.role ?? before.role;
    if (!mayManage(roleOf(call), role, inApp.hasRoles)) throw new Problem('HOME_RIGHT_MISSING');
    const guest = body.guest ?? (role === 'guest' ? before.guest : undefined);
    const terms = await checkTerms(db, { ...place, hasRoles: inApp.hasRoles }, { role, guest });
    await setTerms(db, place, params.userId, terms);
    call.before = before;
    return toMyMember(await memberOf(call, params.userId));
  }),

  on(removeMyHomeMember, async call => {
    const { db, params, user } = call;
    const place = placeOf(call);
    const isOwn = params.userId === user.id;
    const member = isOwn ? await memberOf(call, user.id) : await memberBelow(call, params.userId);
    if (member.role === 'owner') throw new Problem('HOME_OWNER');
    refuseStale(call, member);
    await deleteMember(db, place, params.userId);
    call.before = { userId: member.userId, role: member.role };
  }),
];

const roleOf = ({ membership }: Pick<InHome, 'membership'>) => membership?.role ?? 'guest';
const isGuest = (call: Pick<InHome, 'membership'>) => roleOf(call) === 'guest';

/** A guest does not see other members' addresses. */
function seenByCaller(call: InHome, row: MemberRow) {
  const { email, ...member } = toMyMember(row);
  const isSeen = email !== undefined && (!isGuest(call) || row.userId === call.user.id);
  return { ...member, ...(isSeen && { email }) };
}

async function memberOf(call: InHome, userId: string): Promise<MemberRow> {
  const member = await findMember(call.db, placeOf(call), userId);
  if (!member) throw new Problem('HOME_MEMBER_NOT_FOUND');
  return member;
}

/** A member whom the caller may change and remove. */
async function memberBelow(call: InHome, userId: string): Promise<MemberRow> {
  // A caller who cannot manage any members does not learn which members exist.
  if (!call.membership?.rights.includes('invite')) throw new Problem('HOME_RIGHT_MISSING');
  const member = await memberOf(call, userId);
  if (member.role === 'owner') throw new Problem('HOME_OWNER');
  if (!mayManage(roleOf(call), member.role, call.inApp.hasRoles)) throw new Problem('HOME_RIGHT_MISSING');
  return member;
}
