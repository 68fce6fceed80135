import { beforeAll, expect, it } from 'vitest';
import {
  acceptHomeTransfer,
  editMyHomeMember,
  listMyHomeInvitations,
  listMyHomes,
  offerMyHome,
  removeMyHomeMember,
} from '#contract/appApi/home.ts';
import { addHomeMember } from '#contract/home.ts';
import { editUser } from '#contract/user.ts';
import { sql } from '#server/infra/db/sql.ts';
import type { CalledApp, EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { accept, aFamily, aUser, invite, tokenTo } from '#test/families.ts';
import { inRole, sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();
let app: CalledApp;
beforeAll(async () => {
  app = await sharingWorld(at, { hasRoles: true });
});

const suspend = ({ id: userId }: EndUser, suspended: boolean) =>
  at.owner.client.call(editUser, { params: { userId }, body: { suspended } });

it('a member who was removed does not come back by an invitation from before', async () => {
  const { owner, params } = await aFamily(at, app);
  const eve = await aUser(at, app, 'Eve');
  const { id: invitationId } = await invite(owner, params, { email: eve.email, role: 'admin' });
  const token = await tokenTo(at, eve.email);
  await at.owner.client.call(addHomeMember, { params, body: { userId: eve.id, role: 'member' } });
  expect(await owner.client.call(listMyHomeInvitations, { params })).toEqual([]);
  await owner.client.call(removeMyHomeMember, { params: { ...params, userId: eve.id } });
  await failing(accept(eve, { invitationId }), 'INVITATION_NOT_FOUND');
  await failing(accept(eve, { token }), 'INVALID_LINK');
  expect(await eve.client.call(listMyHomes)).toEqual([]);
});

it('a removal also ends an invitation that was sent to the member’s address after they had joined', async () => {
  const { owner, params } = await aFamily(at, app);
  const eve = await aUser(at, app, 'Eve');
  await inRole(at.world, params.homeId, eve, 'member');
  const { platform } = at.world;
  // As it is when the member changes to an address that was invited.
  const other = `invited-${eve.email}`;
  const { id: invitationId } = await invite(owner, params, { email: other, role: 'member' });
  await platform.db.run(sql`update users set email = ${other} where id = ${eve.id}`);
  await owner.client.call(removeMyHomeMember, { params: { ...params, userId: eve.id } });
  await failing(accept(eve, { token: await tokenTo(at, other) }), 'INVALID_LINK');
  await failing(accept(eve, { invitationId }), 'INVITATION_NOT_FOUND');
});

it('an invitation does not revive when its inviter is added again, promoted again or resumed', async () => {
  const ends: ((admin: EndUser, owner: EndUser, params: { homeId: string }) => Promise<unknown>)[] = [
    async (admin, owner, params) => {
      await owner.client.call(removeMyHomeMember, { params: { ...params, userId: admin.id } });
      await inRole(at.world, params.homeId, admin, 'admin');
    },
    async (admin, owner, params) => {
      for (const role of ['member', 'admin'] as const)
        await owner.client.call(editMyHomeMember, {
          params: { ...params, userId: admin.id },
          body: { role },
        });
    },
    async admin => {
      await suspend(admin, true);
      await suspend(admin, false);
    },
  ];
  for (const end of ends) {
    const { owner, params, members } = await aFamily(at, app, 'admin');
    const [admin] = members as [EndUser];
    const eve = await aUser(at, app);
    await invite(admin, params, { email: eve.email, role: 'member' });
    await end(admin, owner, params);
    await failing(accept(eve, { token: await tokenTo(at, eve.email) }), 'INVALID_LINK');
  }
});

it('an invitation cannot be accepted while its inviter is suspended', async () => {
  const { owner, params } = await aFamily(at, app);
  const eve = await aUser(at, app);
  await invite(owner, params, { email: eve.email, role: 'admin' });
  await suspend(owner, true);
  await failing(accept(eve, { token: await tokenTo(at, eve.email) }), 'INVALID_LINK');
});

it('the offer of a home ends when its owner is suspended', async () => {
  const { owner, params, members } = await aFamily(at, app, 'admin');
  const [admin] = members as [EndUser];
  await owner.client.call(offerMyHome, { params, body: { userId: admin.id } });
  await suspend(owner, true);
  await failing(admin.client.call(acceptHomeTransfer, { params }), 'NO_TRANSFER');
});

it('other invitations of the home stay when a member joins, changes and leaves', async () => {
  const { owner, params, members } = await aFamily(at, app, 'admin');
  const [admin] = members as [EndUser];
  const [eve, mia] = [await aUser(at, app), await aUser(at, app)];
  for (const { email } of [eve, mia]) await invite(owner, params, { email, role: 'member' });
  await accept(eve, { token: await tokenTo(at, eve.email) });
  await owner.client.call(removeMyHomeMember, { params: { ...params, userId: admin.id } });
  const left = await owner.client.call(listMyHomeInvitations, { params });
  expect(left.map(({ email }) => email)).toEqual([mia.email]);
});
