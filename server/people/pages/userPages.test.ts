import { beforeAll, describe, expect, it } from 'vitest';
import { createMyHome, inviteToHome, listMyInvitations } from '#contract/appApi/home.ts';
import { register, signIn, startUserPasswordReset } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import { editProject } from '#contract/project.ts';
import { deleteUser } from '#contract/user.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, appClient, type CalledApp, clientWith } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let app: CalledApp;
let phone: Client;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
  phone = appClient(at.world, app);
});

const password = 'a lantern at low tide 7';
const linkIn = (text: string | undefined) => /https?:\/\/\S+\/u\/[^\s)]+/.exec(text ?? '')?.[0] ?? '';
const press = (url: string, form: Record<string, string> = {}) => {
  const { origin, pathname, searchParams } = new URL(url);
  const body = new URLSearchParams({ token: searchParams.get('token') ?? '', ...form });
  return fetch(origin + pathname, { method: 'POST', body });
};
const enter = (email: string, given = password) => phone.call(signIn, { body: { email, password: given } });

async function registered() {
  const email = `${unique('user')}@example.com`;
  await phone.call(register, { body: { email, password } });
  const [mail] = await at.world.mailsTo(email);
  return { email, url: linkIn(mail?.text) };
}

describe('the link of an e-mail', () => {
  it('needs a click, so that a scanner that only opens it uses nothing up', async () => {
    const { email, url } = await registered();
    for (let i = 0; i < 2; i++) expect((await fetch(url)).status).toBe(200);
    await failing(enter(email), 'EMAIL_UNVERIFIED');
    const page = await press(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('is confirmed')]);
    await enter(email);
    expect([(await fetch(url)).status, (await press(url)).status]).toEqual([400, 400]);
  });

  it('leads to a page without scripts that cannot be framed or cached and sends no referrer', async () => {
    const { url } = await registered();
    const { headers } = await fetch(url);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
  });

  it('is valid only in its own project', async () => {
    const { id } = await at.world.aProject(at.owner);
    const { url } = await registered();
    expect((await press(url.replace(at.projectId, id))).status).toBe(400);
    expect((await press(url.replace(at.projectId, 'prj_none'))).status).toBe(404);
    expect((await press(url)).status).toBe(200);
  });

  it('shows the name of the project, escaped', async () => {
    const { id } = await at.world.aProject(at.owner, '<b>Harbour</b> & more');
    const page = await (await fetch(`${at.world.url}/u/${id}/verify?token=none`)).text();
    expect(page).toContain('&lt;b&gt;Harbour&lt;/b&gt; &amp; more');
    expect(page).not.toContain('<b>Harbour');
  });
});

describe('a new password by the link', () => {
  it('follows the password rules of the project, and shows them', async () => {
    const { email } = await anEndUser(at.world, app, { password });
    await phone.call(startUserPasswordReset, { body: { email } });
    const url = linkIn((await at.world.mailsTo(email))[0]?.text);
    const policy = {
      minLength: 12,
      mustHaveUppercase: true,
      mustHaveLowercase: true,
      mustHaveNumber: false,
      mustHaveNonAlphanum: false,
    };
    const edit = (userPasswordPolicy: typeof policy | null) =>
      at.owner.client.call(editProject, {
        params: { projectId: at.projectId },
        body: { userPasswordPolicy },
      });
    await edit(policy);
    const form = await (await fetch(url)).text();
    expect(form).toContain('At least 12 characters, with an upper-case letter and a lower-case letter.');
    expect(form).toContain(`value="${email}"`);
    const refused = await press(url, { password: 'lower case only' });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('role="alert"')]);
    expect((await press(url, { password: 'Now With Upper Case' })).status).toBe(200);
    await edit(null);
    await failing(enter(email), 'LOGIN_FAILED');
    await enter(email, 'Now With Upper Case');
  });
});

it('a password that is not text is refused', async () => {
  const { email } = await anEndUser(at.world, app, { password });
  await phone.call(startUserPasswordReset, { body: { email } });
  const { origin, pathname, searchParams } = new URL(linkIn((await at.world.mailsTo(email))[0]?.text));
  const body = JSON.stringify({ token: searchParams.get('token'), password: 12_345_678 });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(origin + pathname, { method: 'POST', headers, body })).status).toBe(422);
  await enter(email);
});

it('log entries of actions on a page no longer name a user who was erased', async () => {
  const email = `${unique('user')}@example.com`;
  await phone.call(register, { body: { email, password, name: 'Zaphod' } });
  await press(linkIn((await at.world.mailsTo(email))[0]?.text));
  const { user } = await enter(email);
  const { db } = at.world.platform;
  const named = async () =>
    (await db.many(sql`select 1 from log_entries e where e::text like ${`%${email}%`}`)).length;
  expect(await named()).toBeGreaterThan(0);
  await at.owner.client.call(deleteUser, { params: { userId: user.id } });
  await until(async () => (await named()) === 0 || undefined);
});

describe('an invitation to a home', () => {
  const invite = async (email: string) => {
    const { client } = await anEndUser(at.world, app);
    const home = await client.call(createMyHome, { body: { name: 'Lighthouse', timeZone: 'Europe/Oslo' } });
    await client.call(inviteToHome, { params: { homeId: home.id }, body: { email, role: 'member' } });
    return { homeId: home.id, url: linkIn((await at.world.mailsTo(email))[0]?.text) };
  };

  it('creates an account in which the invitation waits', async () => {
    const email = `${unique('guest')}@example.com`;
    const { homeId, url } = await invite(email);
    expect(await (await fetch(url)).text()).toContain('You are invited');
    expect((await press(url, { password: 'short' })).status).toBe(422);
    expect((await press(url, { password })).status).toBe(200);
    const { accessToken, user } = await enter(email);
    expect(user.verified).toBe(true);
    const invitations = await clientWith(at.world, app, accessToken).call(listMyInvitations);
    expect(invitations.map(({ home }) => home.id)).toEqual([homeId]);
  });

  it('changes nothing in an existing account', async () => {
    const { email } = await anEndUser(at.world, app, { password });
    const { url } = await invite(email);
    expect(await (await press(url, { password: 'what a stranger chose 1' })).text()).toContain(
      'Open the app',
    );
    await enter(email);
  });
});
