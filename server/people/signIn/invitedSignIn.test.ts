import { beforeAll, expect, it } from 'vitest';
import { acceptInvitation, createMyHome, inviteToHome, listMyInvitations } from '#contract/appApi/home.ts';
import type { Client } from '#contract/client.ts';
import { editProject } from '#contract/project.ts';
import { createUser } from '#contract/user.ts';
import { editUserAuthMethod } from '#contract/userAuthMethod.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, appClient, type CalledApp, clientWith } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { appRedirect, begin, codeFor, finish } from '#test/methodSignIns.ts';
import { signIns } from '#test/signIns.ts';
import { unique } from '#test/world.ts';

const { at, aMethod } = signIns();
let app: CalledApp;
let phone: Client;
let methodId: string;
beforeAll(async () => {
  app = await anApp(at.owner, at.project.id, { redirects: [appRedirect] });
  phone = appClient(at.world, app);
  methodId = await aMethod(at.provider);
  const body = { restrictUserReg: true, restrictPasswordLogin: true };
  await at.owner.client.call(editProject, { params: { projectId: at.project.id }, body });
});

const trust = (trustsEmail: boolean) =>
  at.owner.client.call(editUserAuthMethod, {
    params: { projectId: at.project.id, methodId },
    body: { trustsEmail },
  });
/** The address that the provider vouches for. */
const emailOf = (login: string) => `${login}@example.com`;
const mailTo = async (email: string) => (await at.world.mailsTo(email))[0];
const pageIn = async (email: string) =>
  (await fetch(/https?:\/\/\S+\/u\/[^\s)]+/.exec((await mailTo(email))?.text ?? '')?.[0] ?? '')).text();

async function signInAs(login: string, more: { invitation?: string } = {}) {
  const begun = await begin(phone, methodId);
  return finish(phone, methodId, { ...begun, code: await codeFor(begun, login), ...more });
}

async function invitedToHome() {
  const login = unique('guest');
  const email = emailOf(login);
  const { client } = await anEndUser(at.world, app);
  const home = await client.call(createMyHome, { body: { name: 'Lighthouse', timeZone: 'Europe/Oslo' } });
  await client.call(inviteToHome, { params: { homeId: home.id }, body: { email, role: 'member' } });
  return { login, email, homeId: home.id, token: (await mailTo(email))?.token ?? '' };
}

it('an invitation to a home admits the invited address at a trusted method, where nobody else may register', async () => {
  await trust(true);
  const { login, email, homeId } = await invitedToHome();
  expect(await pageIn(email)).toContain(`Sign in to the app as ${email} with Test login.`);
  await failing(signInAs(unique('stranger')), 'REGISTRATION_RESTRICTED');
  const { accessToken } = await signInAs(login);
  const found = await clientWith(at.world, app, accessToken).call(listMyInvitations);
  expect(found.map(({ home }) => home.id)).toEqual([homeId]);
});

it('an invitation to a home admits whoever has its token at any method, and still leads to the home', async () => {
  await trust(false);
  const { login, homeId, token } = await invitedToHome();
  await failing(signInAs(login), 'REGISTRATION_RESTRICTED');
  await failing(signInAs(login, { invitation: 'nothing' }), 'INVALID_LINK');
  const { accessToken, user } = await signInAs(login, { invitation: token });
  const home = await clientWith(at.world, app, accessToken).call(acceptInvitation, { body: { token } });
  expect(home.id).toBe(homeId);
  expect((await signInAs(login)).user.id).toBe(user.id);
  const logged = await at.world.platform.db.many(sql`
    select 1 from log_entries where detail::text like ${`%${token}%`}`);
  expect(logged).toEqual([]);
});

it('a user who was created without a password gets the account at the first sign-in with a method', async () => {
  for (const trusts of [false, true]) {
    await trust(trusts);
    const login = unique('made');
    const email = emailOf(login);
    const body = { projectId: at.project.id, email, name: 'Made' };
    const { id } = await at.owner.client.call(createUser, { body });
    const invitation = (await mailTo(email))?.token ?? '';
    expect(await pageIn(email)).toContain(`Sign in to the app as ${email} with Test login.`);
    const { user } = await signInAs(login, trusts ? {} : { invitation });
    expect(user).toMatchObject({ id, email, verified: true, methods: [{ methodId }] });
    await failing(signInAs(unique('second'), { invitation }), 'INVALID_LINK');
  }
});
