import { beforeAll, expect, it } from 'vitest';
import { changeUserPassword, register, signIn, startVerification, verify } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import { editUser, listUsers } from '#contract/user.ts';
import { anApp } from '#test/apps.ts';
import { appClient } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let phone: Client;
beforeAll(async () => {
  phone = appClient(at.world, await anApp(at.owner, at.projectId));
});

const password = 'a lantern at low tide 7';
const newPassword = 'another lamp at high tide 8';

async function registered(name?: string) {
  const email = `${unique('user')}@example.com`;
  await phone.call(register, { body: { email, password, ...(name && { name }) } });
  return email;
}

async function verifyByMail(email: string) {
  const mail = (await at.world.mailsTo(email)).find(({ token }) => token !== '');
  await phone.call(verify, { body: { token: mail?.token ?? '' } });
}

const enter = (email: string, given: string) => phone.call(signIn, { body: { email, password: given } });

it.each([false, true])(
  'a password changed before the address is verified stays (e-mail sent again: %s)',
  async again => {
    const email = await registered();
    await phone.call(changeUserPassword, { body: { email, oldPassword: password, newPassword } });
    if (again) await phone.call(startVerification, { body: { email } });
    await verifyByMail(email);
    await failing(enter(email, password), 'LOGIN_FAILED');
    await enter(email, newPassword);
  },
);

it('a name that a developer gave before the address is verified stays', async () => {
  const email = await registered('Typo');
  const query = { projectId: at.projectId, search: email };
  const { items } = await at.owner.client.call(listUsers, { query });
  await at.owner.client.call(editUser, { params: { userId: items[0]?.id ?? '' }, body: { name: 'Mari' } });
  await verifyByMail(email);
  expect((await enter(email, password)).user.name).toBe('Mari');
});
