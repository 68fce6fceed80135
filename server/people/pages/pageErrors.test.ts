import { beforeAll, describe, expect, it } from 'vitest';
import { createMyHome, inviteToHome } from '#contract/appApi/home.ts';
import { changeMyEmail } from '#contract/appApi/me.ts';
import { startUserPasswordReset, verify } from '#contract/appApi/session.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { editProject } from '#contract/project.ts';
import { createUser, editUser } from '#contract/user.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, appClient, type CalledApp } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let app: CalledApp;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
});

const pageOf = (page: string, token: string, projectId = at.projectId) =>
  `${at.world.url}/u/${projectId}/${page}?token=${token}`;
const tokenTo = async (email: string) => (await at.world.mailsTo(email))[0]?.token ?? '';
const press = (url: string) => fetch(url, { method: 'POST', body: new URLSearchParams() });
const edit = (body: BodyOf<typeof editProject>) =>
  at.owner.client.call(editProject, { params: { projectId: at.projectId }, body });

async function changing(next = `${unique('next')}@example.com`) {
  const user = await anEndUser(at.world, app);
  await user.client.call(changeMyEmail, { body: { email: next } });
  return { user, token: await tokenTo(next) };
}

describe('a person who follows a link', () => {
  it('reads that another account has the address, and can go on once it is free', async () => {
    const other = await anEndUser(at.world, app);
    const url = pageOf('verify', (await changing(other.email)).token);
    const page = await press(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([409, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(`Another account has the address ${other.email}`);
    await other.client.call(changeMyEmail, { body: { email: `${unique('moved')}@example.com` } });
    expect((await fetch(url)).status).toBe(200);
  });

  it('reads a page, not JSON, where there is nothing', async () => {
    for (const answer of [
      await fetch(pageOf('verify', 'none', 'prj_none')),
      await press(pageOf('password', '', 'prj_none')),
    ]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(await answer.text()).toContain('This page does not exist');
    }
  });

  it('gets no form that would fail, while suspended', async () => {
    const { user, token } = await changing();
    await appClient(at.world, app).call(startUserPasswordReset, { body: { email: user.email } });
    const pages = [pageOf('verify', token), pageOf('password', await tokenTo(user.email))];
    for (const page of pages) expect((await fetch(page)).status).toBe(200);
    await at.owner.client.call(editUser, { params: { userId: user.id }, body: { suspended: true } });
    for (const page of pages) expect((await fetch(page)).status).toBe(400);
  });

  it('is not told that an account is ready which is suspended', async () => {
    const email = `${unique('guest')}@example.com`;
    const { client } = await anEndUser(at.world, app);
    const { id: homeId } = await client.call(createMyHome, {
      body: { name: 'Lighthouse', timeZone: 'Europe/Oslo' },
    });
    await client.call(inviteToHome, { params: { homeId }, body: { email, role: 'member' } });
    const url = pageOf('invitation', await tokenTo(email));
    const body = { projectId: at.projectId, email };
    const { id: userId } = await at.owner.client.call(createUser, { body });
    await at.owner.client.call(editUser, { params: { userId }, body: { suspended: true } });
    expect(await (await fetch(url)).text()).not.toContain('name="password"');
    const form = new URLSearchParams({ password: 'a lantern at low tide 7' });
    expect(await (await fetch(url, { method: 'POST', body: form })).text()).not.toContain('is ready');
  });
});

it('a change of the address that is pending when accounts move to a back end is over', async () => {
  const { token } = await changing();
  await edit({ userAccountMode: 'external' });
  expect((await fetch(pageOf('verify', token))).status).toBe(400);
  expect((await press(pageOf('verify', token))).status).toBe(400);
  await failing(appClient(at.world, app).call(verify, { body: { token } }), 'INVALID_LINK');
  await edit({ userAccountMode: 'email' });
});
