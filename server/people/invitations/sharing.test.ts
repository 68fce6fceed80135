import { beforeAll, describe, expect, it } from 'vitest';
import {
  declineInvitation,
  editMyHomeMember,
  type inviteToHome,
  listMyHomeInvitations,
  listMyHomeMembers,
  listMyHomes,
  listMyInvitations,
  removeMyHomeMember,
  revokeMyHomeInvitation,
} from '#contract/appApi/home.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { listenBySse, type StreamListener } from '#test/eventStreams.ts';
import { failing } from '#test/failing.ts';
import { accept, aFamily, aUser, invite, tokenTo } from '#test/families.ts';
import { inHome, sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';
import { openInvitation } from './openInvitation.ts';

const at = aProjectWorld();
let withRoles: CalledApp;
let legacy: CalledApp;
beforeAll(async () => {
  withRoles = await sharingWorld(at, { hasRoles: true });
  legacy = await sharingWorld(at, { hasRoles: false });
});

describe('an invitation', () => {
  it('is mailed, found by the account with that address, and accepted once', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    const eve = await aUser(at, withRoles, 'Eve');
    const made = await invite(owner, params, { email: eve.email.toUpperCase(), role: 'admin' });
    expect(made).toMatchObject({ email: eve.email, role: 'admin', invitedBy: { id: owner.id, name: 'Uma' } });
    const found = await eve.client.call(listMyInvitations);
    expect(found).toEqual([
      {
        id: made.id,
        home: { id: params.homeId, name: 'Dike 1' },
        role: 'admin',
        invitedBy: { id: owner.id, name: 'Uma' },
        expiresAt: made.expiresAt,
      },
    ]);
    const home = await accept(eve, { invitationId: made.id });
    expect(home).toMatchObject({ id: params.homeId, role: 'admin', memberCount: 2 });
    await failing(accept(eve, { invitationId: made.id }), 'INVITATION_NOT_FOUND');
    await failing(accept(eve, { token: await tokenTo(at, eve.email) }), 'INVALID_LINK');
    expect(await owner.client.call(listMyHomeInvitations, { params })).toHaveLength(0);
  });

  it('is announced to the home and to the invited user, when it is created and when it is revoked', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    const eve = await aUser(at, withRoles, 'Eve');
    await using hers = await listenBySse(eve);
    await using theirs = await listenBySse(owner);
    const { id } = await invite(owner, params, { email: eve.email, role: 'member' });
    const told = ({ told }: StreamListener) =>
      told.filter(
        ({ type, what, homeId }) => `${type} ${what} ${homeId}` === `home invitations ${params.homeId}`,
      );
    const hear = (count: number) =>
      until(() => ([hers, theirs].every(one => told(one).length === count) ? true : undefined));
    await hear(1);
    await owner.client.call(revokeMyHomeInvitation, { params: { ...params, invitationId: id } });
    await hear(2);
  });

  it('admits anyone who has the e-mail, whatever the address of their account', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    const email = `${unique('new')}@example.com`;
    await invite(owner, params, { email, role: 'member' });
    const token = await tokenTo(at, email);
    const { projectId } = withRoles;
    const open = { projectId, token, now: at.world.now() };
    expect(await openInvitation(at.world.platform.db, open)).toMatchObject({ email, homeId: params.homeId });
    const other = { ...open, projectId: legacy.projectId };
    expect(await openInvitation(at.world.platform.db, other)).toBeUndefined();
    const foreign = await aUser(at, legacy);
    await failing(accept(foreign, { token }), 'INVALID_LINK');
    const eve = await aUser(at, withRoles);
    expect(await accept(eve, { token })).toMatchObject({ role: 'member', rights: ['view', 'control'] });
  });

  it('is found by its id only by a user who has verified its address', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    const [eve, mallory] = [await aUser(at, withRoles), await aUser(at, withRoles)];
    const { id: invitationId } = await invite(owner, params, { email: eve.email, role: 'member' });
    await failing(accept(mallory, { invitationId }), 'INVITATION_NOT_FOUND');
    await failing(
      mallory.client.call(declineInvitation, { params: { invitationId } }),
      'INVITATION_NOT_FOUND',
    );
    await at.world.platform.db.run(sql`update users set verified_at = null where id = ${eve.id}`);
    const phone = await anEndUser(at.world, withRoles);
    await at.world.platform.db.run(
      sql`update users set email = ${`${unique('x')}@example.com`} where id = ${eve.id}`,
    );
    await at.world.platform.db.run(
      sql`update users set email = ${eve.email}, verified_at = null where id = ${phone.id}`,
    );
    at.world.pass(6_000);
    expect(await phone.client.call(listMyInvitations)).toHaveLength(0);
    await failing(accept(phone, { invitationId }), 'INVITATION_NOT_FOUND');
  });

  it('ends after seven days, and when it is revoked, declined or replaced by a newer one', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    const eve = await aUser(at, withRoles);
    const again = () => invite(owner, params, { email: eve.email, role: 'member' });
    const first = await again();
    const token = await tokenTo(at, eve.email);
    const second = await again();
    await failing(accept(eve, { token }), 'INVALID_LINK');
    await failing(accept(eve, { invitationId: first.id }), 'INVITATION_NOT_FOUND');
    const path = { params: { ...params, invitationId: second.id } };
    await owner.client.call(revokeMyHomeInvitation, path);
    await failing(owner.client.call(revokeMyHomeInvitation, path), 'INVITATION_NOT_FOUND');
    await failing(accept(eve, { token: await tokenTo(at, eve.email) }), 'INVALID_LINK');
    const third = await again();
    await eve.client.call(declineInvitation, { params: { invitationId: third.id } });
    await failing(accept(eve, { invitationId: third.id }), 'INVITATION_NOT_FOUND');
    const { id: invitationId } = await again();
    await at.world.platform.db.run(sql`
      update home_invitations set expires_at = ${at.world.now()} where id = ${invitationId}`);
    await failing(accept(eve, { invitationId }), 'INVITATION_NOT_FOUND');
    expect(Date.parse(third.expiresAt) - Date.parse(third.createdAt)).toBe(7 * dayMs);
  });

  it('ends when the inviter loses their role', async () => {
    const { owner, params, members } = await aFamily(at, withRoles, 'admin');
    const [admin] = members as [EndUser];
    const eve = await aUser(at, withRoles);
    const { id: invitationId } = await invite(admin, params, { email: eve.email, role: 'member' });
    await owner.client.call(removeMyHomeMember, { params: { ...params, userId: admin.id } });
    expect(await eve.client.call(listMyInvitations)).toHaveLength(0);
    await failing(accept(eve, { invitationId }), 'INVITATION_NOT_FOUND');
    await failing(accept(eve, { token: await tokenTo(at, eve.email) }), 'INVALID_LINK');
  });

  it('is for a role below that of the inviter', async () => {
    const { params, members } = await aFamily(at, withRoles, 'admin', 'member');
    const [admin, member] = members as [EndUser, EndUser];
    const email = `${unique('new')}@example.com`;
    await failing(invite(admin, params, { email, role: 'admin' }), 'HOME_RIGHT_MISSING');
    await failing(invite(member, params, { email, role: 'guest' }), 'HOME_RIGHT_MISSING');
    await invite(admin, params, { email, role: 'member' });
    await failing(invite(admin, params, { email: member.email, role: 'member' }), 'ALREADY_A_HOME_MEMBER');
  });

  it('of a guest lists devices of the home, and no longer lists devices that left it', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    const { projectId } = withRoles;
    const { id: deviceClass } = await aClass(at.owner, projectId);
    const [one, two, foreign] = await Promise.all(
      [1, 2, 3].map(() => aDevice(at.owner, projectId, { deviceClass })),
    );
    await inHome(at.world, params.homeId, [one?.id, two?.id]);
    const listed = (...devices: (typeof one)[]) =>
      devices.map(device => ({ deviceId: device?.id ?? '', mayControl: true }));
    const eve = await aUser(at, withRoles);
    const asked = (guest?: BodyOf<typeof inviteToHome>['guest']) =>
      invite(owner, params, { email: eve.email, role: 'guest', ...(guest && { guest }) });
    const [early, late] = ['2026-11-20T10:00:00Z', '2036-11-21T10:00:00Z'];
    for (const unfit of [
      undefined,
      { devices: [] },
      { devices: listed(foreign) },
      { devices: listed(one, one) },
      { devices: listed(one), from: late, until: early },
    ])
      await failing(asked(unfit), 'GUEST_UNFIT');
    await failing(
      invite(owner, params, { email: eve.email, role: 'member', guest: { devices: listed(one) } }),
      'GUEST_UNFIT',
    );
    const weekly = { days: [3, 1, 3], from: '08:00', to: '12:00' };
    const { id } = await asked({ devices: listed(one, two), until: late, weekly });
    await at.world.platform.db.run(sql`
      update devices set home_id = null, owned_since = null, claimed_how = null where id = ${two?.id}`);
    const home = await accept(eve, { invitationId: id });
    expect(home.guest).toEqual({
      devices: listed(one),
      until: '2036-11-21T10:00:00.000Z',
      weekly: { days: [1, 3], from: '08:00', to: '12:00' },
    });
    expect(home).toMatchObject({ memberCount: 2, deviceCount: 1 });
  });

  it('that is accepted twice at the same instant admits one user', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    const email = `${unique('new')}@example.com`;
    await invite(owner, params, { email, role: 'member' });
    const token = await tokenTo(at, email);
    const people = await Promise.all([1, 2, 3, 4].map(() => aUser(at, withRoles)));
    const { answers, reasons } = await atOnce(4, n => accept(people[n] as EndUser, { token }));
    expect([answers.length, reasons]).toEqual([1, ['INVALID_LINK', 'INVALID_LINK', 'INVALID_LINK']]);
  });
});

describe('a home', () => {
  it('with room for one member admits one of twenty who join at once', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    await at.world.platform.db.run(sql`
      with people as (
        insert into users (project_id, id, created_at)
        select ${withRoles.projectId}, ${`usr_${params.homeId}_`} || n, now() from generate_series(1, 98) n returning *)
      insert into home_members (project_id, home_id, user_id, role, joined_at)
      select project_id, ${params.homeId}, id, 'member', now() from people`);
    const people = await Promise.all(Array.from({ length: 20 }, () => aUser(at, withRoles)));
    const ids = new Map<number, string>();
    for (const [n, { email }] of people.entries())
      ids.set(n, (await invite(owner, params, { email, role: 'member' })).id);
    const { answers, reasons } = await atOnce(20, n =>
      accept(people[n] as EndUser, { invitationId: ids.get(n) ?? '' }),
    );
    expect([answers.length, reasons.length, new Set(reasons)]).toEqual([1, 19, new Set(['HOME_FULL'])]);
    await failing(
      invite(owner, params, { email: `${unique('new')}@example.com`, role: 'member' }),
      'HOME_FULL',
    );
  });

  it('has at most fifty open invitations', async () => {
    const { owner, params } = await aFamily(at, withRoles);
    await at.world.platform.db.run(sql`
      insert into home_invitations
        (project_id, id, home_id, email, role, token_hash, inviter_type, inviter_id, created_at, expires_at)
      select ${withRoles.projectId}, 'hin_' || ${params.homeId} || '_' || n, ${params.homeId}, n || '@example.com', 'member',
        sha256((${params.homeId} || '-' || n)::bytea), 'user', ${owner.id}, now(), ${new Date(at.world.now().getTime() + dayMs)}
      from generate_series(1, 49) n`);
    const another = () => invite(owner, params, { email: `${unique('new')}@example.com`, role: 'member' });
    await another();
    await failing(another(), 'TOO_MANY_INVITATIONS');
  });

  it('has members who leave by themselves, and who are changed and removed by higher roles', async () => {
    const { owner, params, members } = await aFamily(at, withRoles, 'admin', 'admin', 'member');
    const [admin, peer, member] = members as [EndUser, EndUser, EndUser];
    const edit = (by: EndUser, of: EndUser, role: 'admin' | 'member', ifMatch?: number) =>
      by.client.call(editMyHomeMember, {
        params: { ...params, userId: of.id },
        body: { role },
        ...(ifMatch !== undefined && { ifMatch }),
      });
    const remove = (by: EndUser, of: EndUser) =>
      by.client.call(removeMyHomeMember, { params: { ...params, userId: of.id } });
    await failing(edit(admin, peer, 'member'), 'HOME_RIGHT_MISSING');
    await failing(edit(admin, admin, 'admin'), 'HOME_RIGHT_MISSING');
    await failing(edit(admin, member, 'admin'), 'HOME_RIGHT_MISSING');
    await failing(edit(admin, owner, 'member'), 'HOME_OWNER');
    await failing(edit(owner, owner, 'admin'), 'HOME_OWNER');
    await failing(remove(admin, peer), 'HOME_RIGHT_MISSING');
    await failing(remove(member, peer), 'HOME_RIGHT_MISSING');
    await failing(remove(owner, owner), 'HOME_OWNER');
    expect(await edit(owner, member, 'admin', 1)).toMatchObject({ role: 'admin', revision: 2 });
    await failing(edit(owner, member, 'member', 1), 'STALE');
    // Without delay: the next call has the new rights, and the call after the removal has none.
    await invite(member, params, { email: `${unique('new')}@example.com`, role: 'member' });
    await edit(owner, member, 'member');
    const again = { email: `${unique('new')}@example.com`, role: 'member' as const };
    await failing(invite(member, params, again), 'HOME_RIGHT_MISSING');
    await remove(member, member);
    expect(await member.client.call(listMyHomes)).toHaveLength(0);
    await failing(remove(owner, member), 'HOME_MEMBER_NOT_FOUND');
    await failing(member.client.call(listMyHomeMembers, { params }), 'HOME_NOT_FOUND');
  });

  it('shows a guest its owner, and nobody else’s address', async () => {
    const { owner, params, members } = await aFamily(at, withRoles, 'member', 'guest');
    const [, guest] = members as [EndUser, EndUser];
    const seen = await guest.client.call(listMyHomeMembers, { params });
    expect(seen.map(({ userId, email }) => [userId, email])).toEqual([
      [owner.id, undefined],
      [guest.id, guest.email],
    ]);
  });
});
