import { beforeAll, describe, expect, it } from 'vitest';
import { changeUserPassword, signIn } from '#contract/appApi/session.ts';
import { editProject } from '#contract/project.ts';
import { createUser, readUser, sendUserPasswordReset } from '#contract/user.ts';
import { insertUser } from '#server/people/users/userStore.ts';
import { anApp } from '#test/apps.ts';
import { appClient } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let app: { id: string; projectId: string };

beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
});

const create = (given: { email: string; password?: string; name?: string }, projectId = at.projectId) =>
  at.owner.client.call(createUser, { body: { projectId, ...given } });
const anAddress = () => `${unique('made')}@example.com`;

describe('a user created by a developer', () => {
  it('with a password signs in after replacing it', async () => {
    const [email, password] = [anAddress(), `${unique('secret')} horse`];
    const user = await create({ email: email.toUpperCase(), password, name: 'Kari' });
    expect(user).toMatchObject({
      email,
      name: 'Kari',
      state: 'active',
      verified: true,
      projectId: at.projectId,
    });
    expect(JSON.stringify(user)).not.toContain(password);
    expect(user.password).toMatchObject({ isInitial: true });
    expect(await at.world.mailsTo(email)).toEqual([]);
    const phone = appClient(at.world, app);
    const refused = await failing(phone.call(signIn, { body: { email, password } }), 'PASSWORD_EXPIRED');
    expect(refused.message).toBe('This password was set for you. Choose your own.');
    const newPassword = `${unique('own')} horse`;
    await phone.call(changeUserPassword, { body: { email, oldPassword: password, newPassword } });
    const { user: me } = await phone.call(signIn, { body: { email, password: newPassword } });
    expect(me.id).toBe(user.id);
    const params = { userId: user.id };
    expect((await at.owner.client.call(readUser, { params })).password).not.toHaveProperty('isInitial');
  });

  it('without a password gets an e-mail to choose one', async () => {
    const email = anAddress();
    expect(await create({ email })).toMatchObject({ state: 'unverified', verified: false });
    const [mail] = await at.world.mailsTo(email);
    expect(mail?.text).toContain(`/u/${at.projectId}/password`);
    expect(mail?.token).not.toBe('');
  });

  it('is refused if the address is taken, the password is weak or accounts are external', async () => {
    const email = anAddress();
    await create({ email });
    expect((await failing(create({ email }), 'EMAIL_TAKEN')).fields).toEqual({ email: 'EMAIL_TAKEN' });
    await failing(create({ email: anAddress(), password: 'password' }), 'WEAK_PASSWORD');
    await failing(create({ email: anAddress(), password: 'x' }), 'PASSWORD_POLICY');
    const { id: projectId } = await at.world.aProject(at.owner);
    const mode = { userAccountMode: 'external' as const };
    await at.owner.client.call(editProject, { params: { projectId }, body: mode });
    await failing(create({ email }, projectId), 'EXTERNAL_ACCOUNTS');
  });
});

it('a user gets the e-mail to set a password only with an address, and if the project uses passwords', async () => {
  const { id: userId, email = '' } = await create({ email: anAddress() });
  await at.owner.client.call(sendUserPasswordReset, { params: { userId } });
  expect((await at.world.mailsTo(email)).map(({ subject }) => subject)).toHaveLength(2);
  const { platform } = at.world;
  const id = platform.newId('usr');
  await insertUser(platform.db, {
    id,
    projectId: at.projectId,
    externalId: unique('crm'),
    now: at.world.now(),
  });
  expect(await at.owner.client.call(readUser, { params: { userId: id } })).toMatchObject({ state: 'active' });
  await failing(at.owner.client.call(sendUserPasswordReset, { params: { userId: id } }), 'NO_EMAIL');
  const params = { projectId: at.projectId };
  await at.owner.client.call(editProject, { params, body: { restrictPasswordLogin: true } });
  await failing(
    at.owner.client.call(sendUserPasswordReset, { params: { userId } }),
    'PASSWORD_LOGIN_RESTRICTED',
  );
});
