import { beforeAll, describe, expect, it } from 'vitest';
import { eraseMe } from '#contract/appApi/me.ts';
import { editEmailTemplate } from '#contract/emailTemplate.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { addHomeMember, listHomeInvitations, revokeHomeInvitation } from '#contract/home.ts';
import { editProject } from '#contract/project.ts';
import type { CalledApp, EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { accept, aFamily, aUser, invite } from '#test/families.ts';
import { sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let withRoles: CalledApp;
let legacy: CalledApp;
beforeAll(async () => {
  withRoles = await sharingWorld(at, { hasRoles: true });
  legacy = await sharingWorld(at, { hasRoles: false });
});

describe('with legacy access control', () => {
  it('members invite members, and no other role', async () => {
    const { owner, params, members } = await aFamily(at, legacy, 'member');
    const [member] = members as [EndUser];
    const email = `${unique('new')}@example.com`;
    await failing(invite(owner, params, { email, role: 'admin' }), 'LEGACY_ACCESS_CONTROL');
    const guest = { devices: [{ deviceId: 'dev_1', mayControl: true }] };
    await failing(invite(owner, params, { email, role: 'guest', guest }), 'LEGACY_ACCESS_CONTROL');
    await invite(member, params, { email, role: 'member' });
    const [mail] = await at.world.mailsTo(email);
    expect(mail?.subject).toBe('member invited you to Dike 1');
    expect(mail?.text).toContain('works once and expires in 7 days');
    const eve = await aUser(at, legacy);
    const home = await accept(eve, { token: mail?.token ?? '' });
    expect(home).toMatchObject({ role: 'member', rights: ['view', 'control', 'configure', 'invite'] });
    // The subject has the inviter's name, and is erased with the inviter.
    await member.client.call(eraseMe);
    expect(await at.world.mailsTo(email)).toEqual([]);
  });

  it('the two e-mails use the developer’s templates', async () => {
    const { projectId } = legacy;
    const word = (templateId: string, subject: string) =>
      at.owner.client.call(editEmailTemplate, {
        params: { projectId, templateId },
        body: { subject },
      });
    await word('home-member-invite', 'Come to {{ home.name }} in {{ project.name }}');
    await word('home-member-notify', '{{ user.name }}, see {{ home.name }}');
    const { params } = await aFamily(at, legacy);
    const [known, email] = [await aUser(at, legacy, 'Eve'), `${unique('new')}@example.com`];
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
    expect(await accept(await aUser(at, legacy), { token: letter?.token ?? '' })).toMatchObject({
      name: 'Dike 1',
    });
  });
});

describe('the developer', () => {
  it('adds by id or address, lists and revokes invitations', async () => {
    const { params } = await aFamily(at, withRoles);
    const eve = await aUser(at, withRoles);
    const call = (body: BodyOf<typeof addHomeMember>) =>
      at.owner.client.call(addHomeMember, { params, body });
    await failing(call({ role: 'member' }), 'INVALID_FIELDS');
    await failing(call({ role: 'member', userId: eve.id, email: eve.email }), 'INVALID_FIELDS');
    await failing(call({ role: 'member', userId: (await aUser(at, legacy)).id }), 'USER_NOT_FOUND');
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

  it('sends these e-mails as well if the users are brought from their own back end', async () => {
    const app = await sharingWorld(at, { hasRoles: true });
    const { owner, params } = await aFamily(at, app);
    const eve = await aUser(at, app);
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
