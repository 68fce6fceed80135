import { beforeAll, describe, expect, it } from 'vitest';
import {
  acceptHomeTransfer,
  createMyHome,
  deleteMyHome,
  listMyHomeMembers,
  offerMyHome,
  readMyHome,
  removeMyHomeMember,
  withdrawMyHomeOffer,
} from '#contract/appApi/home.ts';
import { readDevice } from '#contract/device.ts';
import {
  createHome,
  deleteHome,
  editHome,
  editHomeMember,
  listHomeMembers,
  listHomes,
  offerHomeTransfer,
  readHome,
  removeHomeMember,
  withdrawHomeTransfer,
} from '#contract/home.ts';
import { editProject } from '#contract/project.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { inHome, inRole, sharingWorld } from '#test/homes.ts';
import { aKey } from '#test/keys.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let app: CalledApp;
beforeAll(async () => {
  app = await sharingWorld(at, { hasRoles: true });
});

const zone = { timeZone: 'Europe/Oslo' };
/** A home with its owner and a member who will get it. */
async function aPair(of = app) {
  const [owner, heir] = [
    await anEndUser(at.world, of, { name: 'Uma' }),
    await anEndUser(at.world, of, { name: 'Eve' }),
  ];
  const { id: homeId } = await owner.client.call(createMyHome, { body: { name: 'Dike 1', ...zone } });
  await inRole(at.world, homeId, heir, 'member');
  return { owner, heir, params: { homeId } };
}
const offer = ({ client }: EndUser, params: { homeId: string }, to: { id: string }) =>
  client.call(offerMyHome, { params, body: { userId: to.id } });
const subjectsTo = async ({ email }: EndUser) =>
  (await at.world.mailsTo(email)).map(({ subject }) => subject);
const owners = (homeId: string) =>
  at.world.platform.db.many<{ id: string }>(sql`
    select user_id as id from home_members where home_id = ${homeId} and role = 'owner'`);

describe('a transfer', () => {
  it('is offered, mailed to both, and accepted by the member', async () => {
    const { owner, heir, params } = await aPair();
    const offered = await offer(owner, params, heir);
    expect(offered.transfer?.to).toEqual({ id: heir.id, name: 'Eve' });
    expect(await subjectsTo(owner)).toEqual(['The home Dike 1 was offered to someone else']);
    expect(await subjectsTo(heir)).toEqual(['You are offered the home Dike 1']);
    const home = await heir.client.call(acceptHomeTransfer, { params });
    expect(home).toMatchObject({ role: 'owner', owner: { id: heir.id } });
    expect(home.transfer).toBeUndefined();
    expect(await owner.client.call(readMyHome, { params })).toMatchObject({ role: 'admin' });
    expect((await subjectsTo(owner))[0]).toBe('The home Dike 1 has a new owner');
    expect((await subjectsTo(heir))[0]).toBe('You now own the home Dike 1');
    await failing(heir.client.call(acceptHomeTransfer, { params }), 'NO_TRANSFER');
  });

  it('makes the former owner a member if the project has no roles', async () => {
    const { owner, heir, params } = await aPair(await sharingWorld(at, { hasRoles: false }));
    await offer(owner, params, heir);
    await heir.client.call(acceptHomeTransfer, { params });
    expect(await owner.client.call(readMyHome, { params })).toMatchObject({ role: 'member' });
  });

  it('is offered by the owner, with a recent proof of identity, to another member', async () => {
    const { owner, heir, params } = await aPair();
    await failing(offer(owner, params, owner), 'HOME_OWNER');
    await failing(offer(owner, params, await anEndUser(at.world, app)), 'HOME_MEMBER_NOT_FOUND');
    await failing(offer(heir, params, heir), 'HOME_RIGHT_MISSING');
    await at.world.platform.db.run(sql`
      update user_sessions set proved_at = proved_at - interval '6 minutes' where user_id = ${owner.id}`);
    at.world.pass(6_000);
    await failing(offer(owner, params, heir), 'PROOF_REQUIRED');
    await failing(owner.client.call(deleteMyHome, { params }), 'PROOF_REQUIRED');
  });

  it('is withdrawn by the owner or declined by the member, and by nobody else', async () => {
    const { owner, heir, params } = await aPair();
    const other = await anEndUser(at.world, app);
    await inRole(at.world, params.homeId, other, 'admin');
    await failing(owner.client.call(withdrawMyHomeOffer, { params }), 'NO_TRANSFER');
    await offer(owner, params, heir);
    await failing(other.client.call(withdrawMyHomeOffer, { params }), 'HOME_RIGHT_MISSING');
    await failing(other.client.call(acceptHomeTransfer, { params }), 'NO_TRANSFER');
    await heir.client.call(withdrawMyHomeOffer, { params });
    await failing(heir.client.call(acceptHomeTransfer, { params }), 'NO_TRANSFER');
    await offer(owner, params, heir);
    await owner.client.call(withdrawMyHomeOffer, { params });
    await failing(heir.client.call(acceptHomeTransfer, { params }), 'NO_TRANSFER');
  });

  it('ends after seven days, and when the member leaves', async () => {
    const { owner, heir, params } = await aPair();
    await offer(owner, params, heir);
    await at.world.platform.db.run(sql`
      update homes set transfer_expires_at = ${new Date(at.world.now().getTime() - dayMs)} where id = ${params.homeId}`);
    await failing(heir.client.call(acceptHomeTransfer, { params }), 'NO_TRANSFER');
    expect((await owner.client.call(readMyHome, { params })).transfer).toBeUndefined();
    await offer(owner, params, heir);
    await heir.client.call(removeMyHomeMember, { params: { ...params, userId: heir.id } });
    expect((await owner.client.call(readMyHome, { params })).transfer).toBeUndefined();
  });

  it('that is accepted and withdrawn at once has one outcome, and leaves one owner', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, heir, params } = await aPair();
      await offer(owner, params, heir);
      const { answers, reasons } = await atOnce<unknown>(4, n =>
        n % 2
          ? heir.client.call(acceptHomeTransfer, { params })
          : owner.client.call(withdrawMyHomeOffer, { params }),
      );
      expect([answers.length, reasons.length]).toEqual([1, 3]);
      expect(await owners(params.homeId)).toHaveLength(1);
    }
  });

  it('that is accepted while the new owner is being removed leaves one owner', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, heir, params } = await aPair();
      await offer(owner, params, heir);
      const remove = (by: EndUser, userId: string) =>
        by.client.call(removeMyHomeMember, { params: { ...params, userId } });
      await atOnce<unknown>(3, n =>
        n === 0
          ? heir.client.call(acceptHomeTransfer, { params })
          : n === 1
            ? remove(owner, heir.id)
            : remove(owner, owner.id),
      );
      expect(await owners(params.homeId)).toHaveLength(1);
    }
  });
});

describe('the developer', () => {
  it('creates, finds, changes and deletes homes, and so does a key with canAdmin', async () => {
    const { projectId } = await sharingWorld(at, { hasRoles: true });
    const { client: backEnd } = await aKey(at.world, at.owner, { projectId, canAdmin: true });
    await at.world.platform.db.run(sql`
      insert into users (project_id, id, name, created_at)
      values (${projectId}, ${`usr_${projectId}`}, 'Uma', now())`);
    const ownerId = `usr_${projectId}`;
    for (const [n, client] of [at.owner.client, backEnd].entries()) {
      const create = (name: string, more = {}) =>
        client.call(createHome, { body: { projectId, ownerId, name, ...zone, ...more } });
      const home = await create(`Éclair ${n}`);
      expect(home).toMatchObject({ active: true, owner: { id: ownerId, name: 'Uma' }, memberCount: 1 });
      await failing(create('x', { ownerId: 'usr_none' }), 'USER_NOT_FOUND');
      await failing(create('x', { timeZone: '+02:00' }), 'TIME_ZONE_UNKNOWN');
      const params = { homeId: home.id };
      const edited = await client.call(editHome, { params, body: { active: false }, ifMatch: 1 });
      expect(edited).toMatchObject({ active: false, revision: 2 });
      await failing(client.call(editHome, { params, body: { active: true }, ifMatch: 1 }), 'STALE');
      const found = async (query: object) =>
        (await client.call(listHomes, { query })).items.map(({ id }) => id);
      expect(await found({ projectId, search: `eclair ${n}` })).toEqual([home.id]);
      expect(await found({ projectId, active: 'false', search: home.id })).toEqual([home.id]);
      expect(await found({ projectId, active: 'true', search: home.id })).toEqual([]);
      expect(await found({ userId: ownerId })).toContain(home.id);
      await failing(client.call(listHomes, { query: { userId: 'usr_none' } }), 'USER_NOT_FOUND');
      await client.call(deleteHome, { params, ifMatch: 2 });
      await failing(client.call(readHome, { params }), 'HOME_NOT_FOUND');
    }
    await failing(at.owner.client.call(listHomes, { query: {} }), 'PROJECT_NOT_DEFINED');
    const stranger = await at.world.aDeveloper();
    await failing(stranger.client.call(listHomes, { query: { projectId } }), 'NOT_A_MEMBER');
    expect((await backEnd.call(listHomes, { query: {} })).items).toEqual([]);
  });

  it('changes and removes members, but not the owner, who is replaced only by a transfer', async () => {
    const { owner, heir, params } = await aPair();
    const { client } = at.owner;
    const of = (user: EndUser) => ({ params: { ...params, userId: user.id } });
    expect(await client.call(editHomeMember, { ...of(heir), body: { role: 'admin' } })).toMatchObject({
      role: 'admin',
      rights: ['view', 'control', 'configure', 'invite'],
    });
    await failing(client.call(editHomeMember, { ...of(heir), body: { role: 'guest' } }), 'GUEST_UNFIT');
    await failing(client.call(editHomeMember, { ...of(owner), body: { role: 'member' } }), 'HOME_OWNER');
    await failing(client.call(removeHomeMember, of(owner)), 'HOME_OWNER');
    const transfer = (userId: string) => client.call(offerHomeTransfer, { params, body: { userId } });
    await failing(transfer(owner.id), 'HOME_OWNER');
    await failing(transfer('usr_none'), 'HOME_MEMBER_NOT_FOUND');
    expect((await transfer(heir.id)).transfer?.to.id).toBe(heir.id);
    expect(await subjectsTo(heir)).toEqual(['You are offered the home Dike 1']);
    expect((await client.call(withdrawHomeTransfer, { params })).transfer).toBeUndefined();
    await failing(client.call(withdrawHomeTransfer, { params }), 'NO_TRANSFER');
    await client.call(removeHomeMember, of(heir));
    await failing(client.call(removeHomeMember, of(heir)), 'HOME_MEMBER_NOT_FOUND');
    await failing(heir.client.call(readMyHome, { params }), 'HOME_NOT_FOUND');
    expect((await client.call(listHomeMembers, { params })).map(({ userId }) => userId)).toEqual([owner.id]);
  });

  it('activates a home, and only then can the home be controlled', async () => {
    const { projectId } = app;
    await at.owner.client.call(editProject, { params: { projectId }, body: { deactivateNewHomes: true } });
    const { owner, params } = await aPair();
    await at.owner.client.call(editProject, { params: { projectId }, body: { deactivateNewHomes: false } });
    expect(await owner.client.call(readMyHome, { params })).toMatchObject({ active: false });
    await at.owner.client.call(editHome, { params, body: { active: true } });
    expect(await owner.client.call(readMyHome, { params })).toMatchObject({ active: true });
  });
});

it('the deletion of a home releases its devices and removes all members', async () => {
  const { owner, heir, params } = await aPair();
  const { projectId } = app;
  const { id: deviceClass } = await aClass(at.owner, projectId, { id: unique('class') });
  const { id: deviceId } = await aDevice(at.owner, projectId, { deviceClass });
  await inHome(at.world, params.homeId, [deviceId]);
  await failing(heir.client.call(deleteMyHome, { params }), 'HOME_RIGHT_MISSING');
  await owner.client.call(deleteMyHome, { params });
  await failing(heir.client.call(readMyHome, { params }), 'HOME_NOT_FOUND');
  const device = await at.owner.client.call(readDevice, { params: { deviceId } });
  expect([device.claimed, device.claimCode?.length]).toEqual([false, 10]);
});

it('permission-based access control keeps owners and members as they are', async () => {
  const legacy = await sharingWorld(at, { hasRoles: false });
  const { owner, heir, params } = await aPair(legacy);
  const rights = async (user: EndUser) => (await user.client.call(readMyHome, { params })).rights;
  expect(await rights(heir)).toEqual(['view', 'control', 'configure', 'invite']);
  await at.owner.client.call(editProject, {
    params: { projectId: legacy.projectId },
    body: { enablePermissionBasedAccessControl: true },
  });
  expect(await rights(heir)).toEqual(['view', 'control']);
  expect(await rights(owner)).toEqual(['view', 'control', 'configure', 'invite', 'own']);
  const members = await owner.client.call(listMyHomeMembers, { params });
  expect(members.map(({ role }) => role)).toEqual(['owner', 'member']);
});
