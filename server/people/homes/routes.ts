import {
  createHome,
  editHome,
  editHomeMember,
  listHomeMembers,
  listHomes,
  offerHomeTransfer,
  readHome,
  removeHomeMember,
  withdrawHomeTransfer,
} from '#contract/home.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { insertHome, updateHome } from './changeHomes.ts';
import { deleteMember, lockHome, setTerms } from './changeMembers.ts';
import { myHomeResource } from './findHome.ts';
import { homeDeviceResource } from './findHomeDevice.ts';
import { expiredTransfers, offerTransfer, withdrawTransfer } from './homeTransfer.ts';
import { homesOf } from './listHomes.ts';
import { findMember, membersOf, toMember } from './members.ts';
import { myHomeRoutes } from './myHomeRoutes.ts';
import { myMemberRoutes } from './myMemberRoutes.ts';
import { myTransferRoutes } from './myTransferRoutes.ts';
import { findHome, homeListResource, homeMemberResource, homeResource, isUser } from './resources.ts';
import { checkTerms } from './terms.ts';
import { mailOffer } from './transferMails.ts';

export const homes: Slice = {
  tables: {
    homes: 'A home, which end users share and devices belong to.',
    home_members: 'A member of a home: the role, and when a guest has access.',
    home_guest_devices: 'A device that a guest may see.',
  },
  resources: { home: homeResource, homeMember: homeMemberResource, homeList: homeListResource },
  appResources: { home: myHomeResource, homeDevice: homeDeviceResource },
  chores: [expiredTransfers],
  appRoutes: [...myHomeRoutes, ...myMemberRoutes, ...myTransferRoutes],
  routes: [
    on(listHomes, homesOf),

    on(createHome, async call => {
      const { db, body, now } = call;
      const { projectId, ownerId } = body;
      if (!(await isUser(db, projectId, ownerId)))
        throw new Problem('USER_NOT_FOUND', { fields: { ownerId: 'USER_NOT_FOUND' } });
      const homeId = await insertHome(db, { ...body, now });
      return findHome(db, homeId, now);
    }),

    on(readHome, async call => call.row),

    on(editHome, async call => {
      const { db, row, body, now } = call;
      await updateHome(db, { projectId: row.projectId, homeId: row.id }, body);
      return findHome(db, row.id, now);
    }),

    on(listHomeMembers, async ({ db, row, page }) => {
      const { items, total } = await membersOf(db, { projectId: row.projectId, homeId: row.id }, page);
      return { items: items.map(toMember), total };
    }),

    on(editHomeMember, async call => {
      const { db, row, params, body, projectId = '' } = call;
      const place = { projectId, homeId: params.homeId };
      if (row.role === 'owner') throw new Problem('HOME_OWNER');
      const role = body.role ?? row.role;
      const guest = body.guest ?? (role === 'guest' ? row.guest : undefined);
      await setTerms(db, place, row.userId, await checkTerms(db, { ...place, ...row }, { role, guest }));
      return readMember(call, place, row.userId);
    }),

    on(removeHomeMember, async call => {
      const { db, row, params, projectId = '' } = call;
      const place = { projectId, homeId: params.homeId };
      if (row.role === 'owner') throw new Problem('HOME_OWNER');
      await deleteMember(db, place, row.userId);
    }),

    on(offerHomeTransfer, async call => {
      const { db, row, body, platform, now } = call;
      const place = { projectId: row.projectId, homeId: row.id };
      if (!(await lockHome(db, place))) throw new Problem('HOME_NOT_FOUND');
      await offerTransfer(db, place, { to: body.userId, now });
      const home = await findHome(db, row.id, now);
      await mailOffer(db, platform, { ...place, owner: home.owner.id, to: body.userId });
      return home;
    }),

    on(withdrawHomeTransfer, async call => {
      const { db, row, now } = call;
      const place = { projectId: row.projectId, homeId: row.id };
      if (!(await withdrawTransfer(db, place, now))) throw new Problem('NO_TRANSFER');
      return findHome(db, row.id, now);
    }),
  ],
};

async function readMember(
  { db }: Pick<Call, 'db'>,
  place: { projectId: string; homeId: string },
  userId: string,
) {
  const member = await findMember(db, place, userId);
  if (!member) throw new Problem('HOME_MEMBER_NOT_FOUND');
  return toMember(member);
}
