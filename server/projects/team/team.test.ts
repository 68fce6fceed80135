import { expect, it } from 'vitest';
import { activate, logIn } from '#contract/account.ts';
import { deleteProject, editProject, readProject } from '#contract/project.ts';
import { addMember, editMember, listMembers, removeMember } from '#contract/team.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { type SignedIn, theWorld, unique } from '#test/world.ts';

const world = theWorld();

async function aTeam(role: 'viewer' | 'developer' | 'owner' = 'developer') {
  const [ada, bob] = await Promise.all([
    world.aDeveloper({ name: 'Ada' }),
    world.aDeveloper({ name: 'Bob' }),
  ]);
  const project = await world.aProject(ada, 'Thermo');
  const params = { projectId: project.id };
  await ada.client.call(addMember, { params, body: { email: bob.email, role } });
  const of = (who: SignedIn) => ({ ...params, developerId: who.developer.id });
  return { ada, bob, project, params, of };
}

it('a developer with an account is added at once and gets an e-mail', async () => {
  const [ada, bob] = await Promise.all([world.aDeveloper({ name: 'Ada' }), world.aDeveloper()]);
  const { id: projectId } = await world.aProject(ada, 'Thermo');
  const member = await ada.client.call(addMember, {
    params: { projectId },
    body: { email: bob.email.toUpperCase() },
  });
  expect(member).toMatchObject({ developerId: bob.developer.id, role: 'developer', pending: false });
  await bob.client.call(readProject, { params: { projectId } });
  const [mail] = await world.mailsTo(bob.email);
  expect(mail?.subject).toContain('Thermo');
});

it('a person without an account is invited, is pending, and joins through the link', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const email = `${unique('new')}@example.com`;
  const member = await ada.client.call(addMember, { params: { projectId }, body: { email, role: 'viewer' } });
  expect(member.pending).toBe(true);
  const [first] = await world.mailsTo(email);
  await ada.client.call(addMember, { params: { projectId }, body: { email } });
  const [second] = await world.mailsTo(email);
  const eve = world.visitor();
  const given = { name: 'Eve', password: unique('secret horse') };
  await failing(eve.client.call(activate, { body: { ...given, token: first?.token ?? '' } }), 'INVALID_LINK');
  await eve.client.call(activate, { body: { ...given, token: second?.token ?? '' } });
  await eve.client.call(logIn, { body: { email, orgId: 'default', password: given.password } });
  expect(await eve.client.call(readProject, { params: { projectId } })).toMatchObject({ role: 'viewer' });
  const members = await ada.client.call(listMembers, { params: { projectId } });
  expect(members.map(({ name, pending }) => [name, pending])).toContainEqual(['Eve', false]);
});

it('a member cannot be added twice', async () => {
  const { ada, bob, params } = await aTeam();
  await failing(ada.client.call(addMember, { params, body: { email: bob.email } }), 'ALREADY_A_MEMBER');
});

it('a removed member’s next call is refused', async () => {
  const { ada, bob, params, of } = await aTeam();
  await bob.client.call(readProject, { params });
  await ada.client.call(removeMember, { params: of(bob) });
  await failing(bob.client.call(readProject, { params }), 'NOT_A_MEMBER');
  await failing(ada.client.call(removeMember, { params: of(bob) }), 'MEMBER_NOT_FOUND');
});

it('the audit log names the removed member', async () => {
  const { ada, bob, project, of } = await aTeam();
  await ada.client.call(removeMember, { params: of(bob) });
  const entry = await world.platform.db.one<{ text: string }>(sql`
    select text from log_entries where project_id = ${project.id} and action = 'removeMember'`);
  expect(entry?.text).toBe(`${bob.email} removed from the team`);
});

it('a viewer can read but change nothing', async () => {
  const { ada, bob, params, of } = await aTeam('viewer');
  await bob.client.call(listMembers, { params });
  await failing(bob.client.call(editProject, { params, body: { name: 'x' } }), 'ROLE_TOO_LOW');
  await failing(bob.client.call(addMember, { params, body: { email: 'x@example.com' } }), 'ROLE_TOO_LOW');
  await failing(bob.client.call(editMember, { params: of(bob), body: { role: 'owner' } }), 'ROLE_TOO_LOW');
  await failing(bob.client.call(removeMember, { params: of(ada) }), 'ROLE_TOO_LOW');
  await failing(bob.client.call(deleteProject, { params }), 'ROLE_TOO_LOW');
});

it('a developer can edit settings, but not the team or irreversible settings', async () => {
  const { ada, bob, params } = await aTeam('developer');
  await bob.client.call(editProject, { params, body: { name: 'x' } });
  await failing(bob.client.call(editProject, { params, body: { forgetDeviceKeys: true } }), 'ROLE_TOO_LOW');
  await failing(bob.client.call(addMember, { params, body: { email: 'x@example.com' } }), 'ROLE_TOO_LOW');
  await failing(bob.client.call(deleteProject, { params }), 'ROLE_TOO_LOW');
  await ada.client.call(editProject, { params, body: { forgetDeviceKeys: true } });
});

it('a member can leave', async () => {
  const { bob, params, of } = await aTeam('viewer');
  await bob.client.call(removeMember, { params: of(bob) });
  await failing(bob.client.call(readProject, { params }), 'NOT_A_MEMBER');
});

it('the last member and the last owner cannot leave', async () => {
  const { ada, bob, params, of } = await aTeam();
  await failing(ada.client.call(removeMember, { params: of(ada) }), 'LAST_OWNER');
  await failing(ada.client.call(editMember, { params: of(ada), body: { role: 'viewer' } }), 'LAST_OWNER');
  await ada.client.call(removeMember, { params: of(bob) });
  await failing(ada.client.call(removeMember, { params: of(ada) }), 'LAST_MEMBER');
  await failing(ada.client.call(editMember, { params: of(ada), body: { role: 'viewer' } }), 'LAST_OWNER');
  await ada.client.call(readProject, { params });
});

it('of two owners who leave at the same time, one stays', async () => {
  const { ada, bob, of } = await aTeam('owner');
  const attempts = await Promise.allSettled([
    ada.client.call(removeMember, { params: of(ada) }),
    bob.client.call(removeMember, { params: of(bob) }),
  ]);
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('a suspended owner does not count, so that the last one who can act stays', async () => {
  const { ada, bob, of } = await aTeam('owner');
  await world.platform.db.run(sql`update developers set suspended = true where id = ${bob.developer.id}`);
  const lower = () => ada.client.call(editMember, { params: of(ada), body: { role: 'viewer' } });
  await failing(lower(), 'LAST_OWNER');
  await failing(ada.client.call(removeMember, { params: of(ada) }), 'LAST_MEMBER');
  await world.platform.db.run(sql`update developers set suspended = false where id = ${bob.developer.id}`);
  await lower();
});

it('an invited owner does not count, because nobody can act as that owner yet', async () => {
  const ada = await world.aDeveloper();
  const { id: projectId } = await world.aProject(ada);
  const email = `${unique('new')}@example.com`;
  await ada.client.call(addMember, { params: { projectId }, body: { email, role: 'owner' } });
  const params = { projectId, developerId: ada.developer.id };
  await failing(ada.client.call(removeMember, { params }), 'LAST_MEMBER');
});
