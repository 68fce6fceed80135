import { beforeAll, describe, expect, it } from 'vitest';
import {
  acceptInvitation,
  createMyHome,
  declineInvitation,
  editMyHomeMember,
  inviteToHome,
  listMyHomeInvitations,
  listMyHomeMembers,
  listMyHomes,
  listMyInvitations,
  removeMyHomeMember,
  revokeMyHomeInvitation,
} from '#contract/appApi/home.ts';
import { editEmailTemplate } from '#contract/emailTemplate.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { addHomeMember, listHomeInvitations, revokeHomeInvitation } from '#contract/home.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { inHome, inRole, sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { dayMs, unique } from '#test/world.ts';
import { openInvitation } from './openInvitation.ts';

const at = aProjectWorld();
let withRoles: CalledApp;
let legacy: CalledApp;
beforeAll(async () => {
  withRoles = await sharingWorld(at, { hasRoles: true });
  legacy = await sharingWorld(at, { hasRoles: false });
});

const aUser = (app: CalledApp, name?: string) => anEndUser(at.world, app, name ? { name } : {});
async function aHome(owner: EndUser) {
  const { id } = await owner.client.call(createMyHome, { body: { name: 'Dike 1', timeZone: 'Europe/Oslo' } });
  return { homeId: id };
}
/** An owner with a home, and members of it by their roles. */
async function aFamily(app: CalledApp, ...roles: ('admin' | 'member' | 'guest')[]) {
  const owner = await aUser(app, 'Uma');
  const params = await aHome(owner);
  const members: EndUser[] = [];
  for (const role of roles) {
    const user = await aUser(app, role);
    await inRole(at.world, params.homeId, user, role);
    members.push(user);
  }
  return { owner, params, members };
}
const invite = (by: EndUser, params: { homeId: string }, body: BodyOf<typeof inviteToHome>) =>
  by.client.call(inviteToHome, { params, body });
const tokenTo = async (email: string) => (await at.world.mailsTo(email))[0]?.token ?? '';
const accept = (user: EndUser, body: BodyOf<typeof acceptInvitation>) =>
  user.client.call(acceptInvitation, { body });

describe('an invitation', () => {
  it('is mailed, found by the account of the address, and accepted once', async () => {
    const { owner, params } = await aFamily(withRoles);
    const eve = await aUser(withRoles, 'Eve');
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
    await failing(accept(eve, { token: await tokenTo(eve.email) }), 'INVALID_LINK');
    expect(await owner.client.call(listMyHomeInvitations, { params })).toHaveLength(0);
  });

  it('lets whoever has the mail in, whatever address their account has', async () => {
    const { owner, params } = await aFamily(withRoles);
    const email = `${unique('new')}@example.com`;
    await invite(owner, params, { email, role: 'member' });
    const token = await tokenTo(email);
    const { projectId } = withRoles;
    const open = { projectId, token, now: at.world.now() };
    expect(await openInvitation(at.world.platform.db, open)).toMatchObject({ email, homeId: params.homeId });
    const other = { ...open, projectId: legacy.projectId };
    expect(await openInvitation(at.world.platform.db, other)).toBeUndefined();
    const foreign = await aUser(legacy);
    await failing(accept(foreign, { token }), 'INVALID_LINK');
    const eve = await aUser(withRoles);
    expect(await accept(eve, { token })).toMatchObject({ role: 'member', rights: ['view', 'control'] });
  });

  it('by its id is only for who has proven its address', async () => {
    const { owner, params } = await aFamily(withRoles);
    const [eve, mallory] = [await aUser(withRoles), await aUser(withRoles)];
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

  it('ends after seven days, when it is revoked, declined, or replaced by a newer one', async () => {
    const { owner, params } = await aFamily(withRoles);
    const eve = await aUser(withRoles);
    const again = () => invite(owner, params, { email: eve.email, role: 'member' });
    const first = await again();
    const token = await tokenTo(eve.email);
    const second = await again();
    await failing(accept(eve, { token }), 'INVALID_LINK');
    await failing(accept(eve, { invitationId: first.id }), 'INVITATION_NOT_FOUND');
    const path = { params: { ...params, invitationId: second.id } };
    await owner.client.call(revokeMyHomeInvitation, path);
    await failing(owner.client.call(revokeMyHomeInvitation, path), 'INVITATION_NOT_FOUND');
    await failing(accept(eve, { token: await tokenTo(eve.email) }), 'INVALID_LINK');
    const third = await again();
    await eve.client.call(declineInvitation, { params: { invitationId: third.id } });
    await failing(accept(eve, { invitationId: third.id }), 'INVITATION_NOT_FOUND');
    const { id: invitationId } = await again();
    await at.world.platform.db.run(sql`
      update home_invitations set expires_at = ${at.world.now()} where id = ${invitationId}`);
    await failing(accept(eve, { invitationId }), 'INVITATION_NOT_FOUND');
    expect(Date.parse(third.expiresAt) - Date.parse(third.createdAt)).toBe(7 * dayMs);
  });

  it('ends with the role of whoever made it', async () => {
    const { owner, params, members } = await aFamily(withRoles, 'admin');
    const [admin] = members as [EndUser];
    const eve = await aUser(withRoles);
    const { id: invitationId } = await invite(admin, params, { email: eve.email, role: 'member' });
    await owner.client.call(removeMyHomeMember, { params: { ...params, userId: admin.id } });
    expect(await eve.client.call(listMyInvitations)).toHaveLength(0);
    await failing(accept(eve, { invitationId }), 'INVITATION_NOT_FOUND');
    await failing(accept(eve, { token: await tokenTo(eve.email) }), 'INVALID_LINK');
  });

  it('is to a role below one’s own', async () => {
    const { params, members } = await aFamily(withRoles, 'admin', 'member');
    const [admin, member] = members as [EndUser, EndUser];
    const email = `${unique('new')}@example.com`;
    await failing(invite(admin, params, { email, role: 'admin' }), 'HOME_RIGHT_MISSING');
    await failing(invite(member, params, { email, role: 'guest' }), 'HOME_RIGHT_MISSING');
    await invite(admin, params, { email, role: 'member' });
    await failing(invite(admin, params, { email: member.email, role: 'member' }), 'ALREADY_A_HOME_MEMBER');
  });

  it('of a guest lists devices of the home, and those that left it are gone from it', async () => {
    const { owner, params } = await aFamily(withRoles);
    const { projectId } = withRoles;
    const { id: deviceClass } = await aClass(at.owner, projectId);
    const [one, two, foreign] = await Promise.all(
      [1, 2, 3].map(() => aDevice(at.owner, projectId, { deviceClass })),
    );
    await inHome(at.world, params.homeId, [one?.id, two?.id]);
    const listed = (...devices: (typeof one)[]) =>
      devices.map(device => ({ deviceId: device?.id ?? '', mayControl: true }));
    const eve = await aUser(withRoles);
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

  it('two accepts of one at the same instant let one in', async () => {
    const { owner, params } = await aFamily(withRoles);
    const email = `${unique('new')}@example.com`;
    await invite(owner, params, { email, role: 'member' });
    const token = await tokenTo(email);
    const people = await Promise.all([1, 2, 3, 4].map(() => aUser(withRoles)));
    const { answers, reasons } = await atOnce(4, n => accept(people[n] as EndUser, { token }));
    expect([answers.length, reasons]).toEqual([1, ['INVALID_LINK', 'INVALID_LINK', 'INVALID_LINK']]);
  });
});

describe('a home', () => {
  it('takes one of twenty who join at once where there is room for one', async () => {
    const { owner, params } = await aFamily(withRoles);
    await at.world.platform.db.run(sql`
      with people as (
        insert into users (project_id, id, created_at)
        select ${withRoles.projectId}, ${`usr_${params.homeId}_`} || n, now() from generate_series(1, 98) n returning *)
      insert into home_members (project_id, home_id, user_id, role, joined_at)
      select project_id, ${params.homeId}, id, 'member', now() from people`);
    const people = await Promise.all(Array.from({ length: 20 }, () => aUser(withRoles)));
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
    const { owner, params } = await aFamily(withRoles);
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

  it('its members are changed and removed by who is above them, and leave by themselves', async () => {
    const { owner, params, members } = await aFamily(withRoles, 'admin', 'admin', 'member');
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
    // At once: the next call has the new rights, and the one after none.
    await invite(member, params, { email: `${unique('new')}@example.com`, role: 'member' });
    await edit(owner, member, 'member');
    const again = { email: `${unique('new')}@example.com`, role: 'member' as const };
    await failing(invite(member, params, again), 'HOME_RIGHT_MISSING');
    await remove(member, member);
    expect(await member.client.call(listMyHomes)).toHaveLength(0);
    await failing(remove(owner, member), 'HOME_MEMBER_NOT_FOUND');
    await failing(member.client.call(listMyHomeMembers, { params }), 'HOME_NOT_FOUND');
  });

  it('a guest sees who owns it, and no other’s address', async () => {
    const { owner, params, members } = await aFamily(withRoles, 'member', 'guest');
    const [, guest] = members as [EndUser, EndUser];
    const seen = await guest.client.call(listMyHomeMembers, { params });
    expect(seen.map(({ userId, email }) => [userId, email])).toEqual([
      [owner.id, undefined],
      [guest.id, guest.email],
    ]);
  });
});

describe('with legacy access control', () => {
  it('members invite members, and nothing else', async () => {
    const { owner, params, members } = await aFamily(legacy, 'member');
    const [member] = members as [EndUser];
    const email = `${unique('new')}@example.com`;
    await failing(invite(owner, params, { email, role: 'admin' }), 'LEGACY_ACCESS_CONTROL');
    const guest = { devices: [{ deviceId: 'dev_1', mayControl: true }] };
    await failing(invite(owner, params, { email, role: 'guest', guest }), 'LEGACY_ACCESS_CONTROL');
    await invite(member, params, { email, role: 'member' });
    const [mail] = await at.world.mailsTo(email);
    expect(mail?.subject).toBe('member invited you to Dike 1');
    expect(mail?.text).toContain('works once and expires in 7 days');
    const eve = await aUser(legacy);
    const home = await accept(eve, { token: mail?.token ?? '' });
    expect(home).toMatchObject({ role: 'member', rights: ['view', 'control', 'configure', 'invite'] });
  });

  it('its two templates are mailed as the developer words them', async () => {
    const { projectId } = legacy;
    const word = (templateId: string, subject: string) =>
      at.owner.client.call(editEmailTemplate, {
        params: { projectId, templateId },
        body: { subject },
      });
    await word('home-member-invite', 'Come to {{ home.name }} in {{ project.name }}');
    await word('home-member-notify', '{{ user.name }}, see {{ home.name }}');
    const { params } = await aFamily(legacy);
    const [known, email] = [await aUser(legacy, 'Eve'), `${unique('new')}@example.com`];
    const add = (to: string) =>
      at.owner.client.call(addHomeMember, { params, body: { email: to, role: 'member' } });
    const added = await add(known.email);
    expect([added.member?.userId, added.invitation]).toEqual([known.id, undefined]);
    const invited = await add(email);
    expect([invited.member, invited.invitation?.email]).toEqual([undefined, email]);
    const [notice] = await at.world.mailsTo(known.email);
    expect(notice?.subject).toBe('Eve, see Dike 1');
    expect(notice?.text).toContain('You were added to the home Dike 1');
    const [letter] = await at.world.mailsTo(email);
    expect(letter?.subject).toMatch(/^Come to Dike 1 in project-/);
    expect(await accept(await aUser(legacy), { token: letter?.token ?? '' })).toMatchObject({
      name: 'Dike 1',
    });
  });
});

describe('the developer', () => {
  it('adds by id or address, lists and revokes invitations', async () => {
    const { params } = await aFamily(withRoles);
    const eve = await aUser(withRoles);
    const call = (body: BodyOf<typeof addHomeMember>) =>
      at.owner.client.call(addHomeMember, { params, body });
    await failing(call({ role: 'member' }), 'INVALID_FIELDS');
    await failing(call({ role: 'member', userId: eve.id, email: eve.email }), 'INVALID_FIELDS');
    await failing(call({ role: 'member', userId: (await aUser(legacy)).id }), 'USER_NOT_FOUND');
    await call({ role: 'admin', userId: eve.id });
    const [mail] = await at.world.mailsTo(eve.email);
    expect(mail?.subject).toBe('You are now a member of Dike 1');
    await failing(call({ role: 'member', email: eve.email }), 'ALREADY_A_HOME_MEMBER');
    const email = `${unique('new')}@example.com`;
    const { invitation } = await call({ role: 'member', email });
    const [listed] = await at.owner.client.call(listHomeInvitations, { params });
    expect(listed).toEqual(invitation);
    expect(listed?.invitedBy.id).toBe(at.owner.developer.id);
    const path = { params: { ...params, invitationId: invitation?.id ?? '' } };
    await at.owner.client.call(revokeHomeInvitation, path);
    await failing(at.owner.client.call(revokeHomeInvitation, path), 'INVITATION_NOT_FOUND');
  });

  it('who brings the users mails them as well', async () => {
    const app = await sharingWorld(at, { hasRoles: true });
    const { owner, params } = await aFamily(app);
    const eve = await aUser(app);
    await at.owner.client.call(editProject, {
      params: { projectId: app.projectId },
      body: { userAccountMode: 'external' },
    });
    const stranger = { email: `${unique('new')}@example.com`, role: 'member' as const };
    await failing(invite(owner, params, stranger), 'EXTERNAL_ACCOUNTS');
    const add = (body: BodyOf<typeof addHomeMember>) => at.owner.client.call(addHomeMember, { params, body });
    await failing(add(stranger), 'USER_NOT_FOUND');
    await add({ email: eve.email, role: 'member' });
    expect(await at.world.mailsTo(eve.email)).toEqual([]);
  });
});
