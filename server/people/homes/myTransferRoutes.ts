import { acceptHomeTransfer, offerMyHome, withdrawMyHomeOffer } from '#contract/appApi/home.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { checkUserProof } from '#server/api/endpoints/userProof.ts';
import { lockMyHome } from './findHome.ts';
import { acceptTransfer, offerTransfer, withdrawTransfer } from './homeTransfer.ts';
import { answerMyHome } from './myHomeRoutes.ts';
import { mailAccepted, mailOffer } from './transferMails.ts';

const placeOf = ({ inApp, params }: Pick<Call, 'inApp'> & { params: { homeId: string } }) => ({
  projectId: inApp.projectId,
  homeId: params.homeId,
});

export const myTransferRoutes = [
  on(offerMyHome, async call => {
    const { db, user, params, body, platform, now } = call;
    checkUserProof(call);
    const place = placeOf(call);
    await lockMyHome(call, 'own');
    await offerTransfer(db, place, { to: body.userId, session: user.sessionId, now });
    await mailOffer(db, platform, { ...place, owner: user.id, to: body.userId });
    return answerMyHome(call, params.homeId);
  }),

  on(withdrawMyHomeOffer, async call => {
    const { db, user, params, membership, row, now } = call;
    const isOffered = row.transfer?.to.id === user.id;
    if (!isOffered && membership?.role !== 'owner') throw new Problem('HOME_RIGHT_MISSING');
    call.before = await answerMyHome(call, params.homeId);
    if (!(await withdrawTransfer(db, placeOf(call), now))) throw new Problem('NO_TRANSFER');
    return answerMyHome(call, params.homeId);
  }),

  on(acceptHomeTransfer, async call => {
    const { db, inApp, user, params, platform, now } = call;
    const place = placeOf(call);
    await lockMyHome(call, 'view');
    const owner = await acceptTransfer(db, place, { userId: user.id, hasRoles: inApp.hasRoles, now });
    if (owner === undefined) throw new Problem('NO_TRANSFER');
    await mailAccepted(db, platform, { ...place, owner, to: user.id });
    return answerMyHome(call, params.homeId);
  }),
];
