import {
  acceptInvitation,
  declineInvitation,
  inviteToHome,
  listMyHomeInvitations,
  listMyInvitations,
  revokeMyHomeInvitation,
} from '#contract/appApi/home.ts';
import { Problem } from '#contract/problem.ts';
import { mayManage } from '#rules/homes/homeRights.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { actorOf } from '#server/api/endpoints/audit.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { lockMyHome } from '#server/people/homes/findHome.ts';
import { answerMyHome } from '#server/people/homes/myHomeRoutes.ts';
import { checkTerms } from '#server/people/homes/terms.ts';
import { acceptOpen, declineOpen } from './acceptInvitation.ts';
import { inviteByMail } from './addMember.ts';
import { deleteInvitation, invitationsOf, toInvitation } from './invitations.ts';
import { myInvitations } from './myInvitations.ts';

const placeOf = ({ inApp, params }: Pick<Call, 'inApp'> & { params: { homeId: string } }) => ({
  projectId: inApp.projectId,
  homeId: params.homeId,
});

export const myInvitationRoutes = [
  on(listMyHomeInvitations, async call => {
    const { items, total } = await invitationsOf(call.db, placeOf(call), call.page, call.now);
    return { items: items.map(toInvitation), total };
  }),

  on(inviteToHome, async call => {
    const { db, inApp, user, body, platform, now } = call;
    if (inApp.userAccountMode === 'external') throw new Problem('EXTERNAL_ACCOUNTS');
    const place = placeOf(call);
    const { hasRoles } = inApp;
    await lockMyHome(call, 'invite');
    const terms = await checkTerms(db, { ...place, hasRoles }, body);
    if (!mayManage(call.membership?.role ?? 'guest', terms.role, hasRoles))
      throw new Problem('HOME_RIGHT_MISSING');
    const inviter = { inviter: actorOf(call), session: user.sessionId };
    return inviteByMail(db, platform, place, { ...terms, email: normalEmail(body.email), ...inviter, now });
  }),

  on(revokeMyHomeInvitation, async call => {
    const { db, params } = call;
    if (!(await deleteInvitation(db, placeOf(call), params.invitationId)))
      throw new Problem('INVITATION_NOT_FOUND');
    call.before = { invitationId: params.invitationId };
  }),

  on(listMyInvitations, call => myInvitations(call)),

  on(acceptInvitation, async call => {
    const { body } = call;
    if ((body.invitationId === undefined) === (body.token === undefined))
      throw new Problem('INVALID_FIELDS', {
        message: 'Send either invitationId or token.',
        fields: { invitationId: 'INVALID', token: 'INVALID' },
      });
    const { homeId } = await acceptOpen(call, body);
    return answerMyHome(call, homeId);
  }),

  on(declineInvitation, async call => {
    await declineOpen(call, call.params.invitationId);
  }),
];
