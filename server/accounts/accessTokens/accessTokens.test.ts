import { describe, expect, it } from 'vitest';
import {
  accessTokensMax,
  listAccessTokens,
  readOwnAccessToken,
  revokeAccessToken,
} from '#contract/accessToken.ts';
import { changePassword, resetPassword, startPasswordReset } from '#contract/account.ts';
import { createDevice, readDeviceKey } from '#contract/device.ts';
import { createDeviceClass, listDeviceClasses, readDeviceClass } from '#contract/deviceClass.ts';
import { readLogEntries } from '#contract/log.ts';
import { editProject, listProjects, readProject } from '#contract/project.ts';
import { addMember, removeMember } from '#contract/team.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { isTokenSecret } from '#server/api/sessions/tokenSecret.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aToken } from '#test/accessTokens.ts';
import { failing } from '#test/failing.ts';
import { auditOf } from '#test/rows.ts';
import { aWorld, type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

const inDays = (days: number) => new Date(world.now().getTime() + days * dayMs).toISOString();

/** A read that every scope allows. */
const use = ({ client }: Pick<SignedIn, 'client'>) => client.call(listProjects);
const list = ({ client, developer }: SignedIn) =>
  client.call(listAccessTokens, { params: { developerId: developer.id } });

describe('creating an access token', () => {
  it('shows it once, and stores only its hash', async () => {
    const ada = await world.aDeveloper();
    const { id, token } = await aToken(world, ada, { name: 'CI', scope: 'firmware' });
    expect(token).toMatch(/^mor_\w{46}$/);
    const [listed] = await list(ada);
    expect(listed).toMatchObject({ id, name: 'CI', scope: 'firmware', start: token.slice(0, 8) });
    expect(listed).not.toHaveProperty('projects');
    const row = await world.platform.db.one<{ text: string }>(
      sql`select t::text as text from access_tokens t where id = ${id}`,
    );
    expect(row?.text).not.toContain(token.slice(8));
    expect(JSON.stringify(await auditOf(world, ada.developer.id))).not.toContain(token.slice(8));
    const [mail] = await world.mailsTo(ada.email);
    expect(mail?.subject).toBe('A new access token for your account');
    expect(mail?.text).not.toContain(token);
  });

  it('requires the password again if it was not given recently', async () => {
    const ada = await world.aDeveloper();
    world.pass(16 * minuteMs);
    await failing(aToken(world, ada), 'REAUTH_REQUIRED');
  });

  it('refuses an expiry in the past or more than a year ahead', async () => {
    const ada = await world.aDeveloper();
    for (const expiresAt of [inDays(-1), inDays(370)]) {
      const { fields } = await failing(aToken(world, ada, { expiresAt }), 'INVALID_FIELDS');
      expect(fields).toEqual({ expiresAt: 'INVALID' });
    }
    await aToken(world, ada, { expiresAt: inDays(365) });
  });

  it('refuses a project of another developer, and more tokens than allowed', async () => {
    const [ada, eve] = [await world.aDeveloper(), await world.aDeveloper()];
    const { id } = await world.aProject(eve);
    await failing(aToken(world, ada, { projectIds: [id] }), 'PROJECT_NOT_FOUND');
    await world.platform.db.run(sql`
      insert into access_tokens (id, hash, developer_id, name, scope, start, created_at, expires_at)
      select 'pat_' || n, n::text::bytea, ${ada.developer.id}, 'x', 'read', 'mor_', now(), now() + interval '1 day'
      from generate_series(1, ${accessTokensMax}) n`);
    await failing(aToken(world, ada), 'TOO_MANY_TOKENS');
  });
});

describe('a call with an access token', () => {
  it('acts as its developer, without a cookie and without the guard header', async () => {
    const ada = await world.aDeveloper();
    const { id: projectId } = await world.aProject(ada);
    const { token } = await aToken(world, ada);
    const response = await fetch(`${world.url}/api/projects/${projectId}`, {
      method: 'PATCH',
      headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
      body: '{"name":"By token"}',
    });
    expect([response.status, await response.json()]).toMatchObject([200, { name: 'By token' }]);
    const [entry] = (await auditOf(world, projectId)).filter(({ action }) => action === 'editProject');
    expect(entry?.actor).toMatchObject({ id: ada.developer.id, tokenName: 'Pipeline' });
    const [read] = await ada.client.call(readLogEntries, {
      params: { projectId },
      query: { begin: inDays(-1), end: inDays(1) },
    });
    expect(read?.actor).toHaveProperty('tokenName', 'Pipeline');
  });

  it('records which token it used, and when and from where', async () => {
    const ada = await world.aDeveloper();
    const script = await aToken(world, ada, { scope: 'read' });
    const own = await script.client.call(readOwnAccessToken);
    expect(own).toMatchObject({ id: script.id, scope: 'read', developer: { email: ada.email } });
    const [listed] = await list(ada);
    expect(listed).toMatchObject({ lastUsedFrom: '127.0.0.1', lastUsedAt: expect.any(String) });
    await failing(ada.client.call(readOwnAccessToken), 'ACCESS_TOKEN_NOT_FOUND');
  });

  it('ignores a cookie that is sent along', async () => {
    const ada = await world.aDeveloper();
    const { token } = await aToken(world, ada);
    for (const sent of [`${token}x`, token.slice(0, -1), `${token.slice(0, -1)}_`, 'mor_']) {
      const response = await ada.fetch(`${world.url}/api/projects`, {
        headers: { authorization: `Bearer ${sent}` },
      });
      expect([response.status, await response.json()]).toMatchObject([401, { reason: 'NO_LOGIN' }]);
    }
    // A token that a proxy adds for itself is not one of ours.
    const proxied = { headers: { authorization: 'Bearer eyJhbGciOi' } };
    expect((await ada.fetch(`${world.url}/api/projects`, proxied)).status).toBe(200);
  });

  it('has access only to the projects the token is restricted to', async () => {
    const ada = await world.aDeveloper();
    const [mine, other] = [await world.aProject(ada), await world.aProject(ada)];
    for (const { id: projectId } of [mine, other])
      await ada.client.call(createDeviceClass, { params: { projectId }, body: { id: 'lamp' } });
    const { client } = await aToken(world, ada, { projectIds: [mine.id] });
    const { items } = await client.call(listProjects);
    expect(items.map(({ id }) => id)).toEqual([mine.id]);
    const refused = client.call(readProject, { params: { projectId: other.id } });
    expect((await failing(refused, 'TOKEN_SCOPE')).message).toContain('not for this project');
    // An id that exists in both projects is looked up only in the allowed one.
    const params = { classId: 'lamp' };
    expect(await client.call(readDeviceClass, { params })).toHaveProperty('projectId', mine.id);
  });

  it('never does what only owners may do, and an owner is not told to ask an owner', async () => {
    const ada = await world.aDeveloper();
    const params = { projectId: (await world.aProject(ada)).id };
    const { client } = await aToken(world, ada);
    const body = { forgetDeviceKeys: true };
    const { message } = await failing(client.call(editProject, { params, body }), 'TOKEN_SCOPE');
    expect(message).toBe('Access tokens cannot do this. Sign in to the console instead.');
  });

  it('reads a secret only if the token has full scope', async () => {
    const ada = await world.aDeveloper();
    const { id: projectId } = await world.aProject(ada);
    await ada.client.call(createDeviceClass, { params: { projectId }, body: { id: 'lamp' } });
    const { id: deviceId } = await ada.client.call(createDevice, {
      body: { projectId, deviceClass: 'lamp', tag: 'lamp-1' },
    });
    const [reads, all] = [await aToken(world, ada, { scope: 'read' }), await aToken(world, ada)];
    const { message } = await failing(
      reads.client.call(readDeviceKey, { params: { deviceId } }),
      'TOKEN_SCOPE',
    );
    expect(message).toBe('This access token has the scope "read". Use one with the scope "all".');
    expect(await all.client.call(readDeviceKey, { params: { deviceId } })).toHaveProperty('apiKey');
  });

  it('counts against the rate limit of its developer', async () => {
    const still = new Date();
    const strict = await aWorld({ RATE_LIMITS: 'on' }, { clock: () => still });
    try {
      const ada = await strict.aDeveloper();
      const script = await aToken(strict, ada, { scope: 'read' });
      const calls = Array.from({ length: 501 }, () => script.fetch(`${strict.url}/api/accessToken`));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses).toContain(429);
      // Guesses count against the address they come from.
      const guesses = Array.from({ length: 201 }, () =>
        fetch(`${strict.url}/api/accessToken`, { headers: { authorization: 'Bearer mor_guess' } }),
      );
      expect((await Promise.all(guesses)).map(({ status }) => status)).toContain(429);
    } finally {
      await strict.end();
    }
  });
});

describe('an access token stops working', () => {
  it('when it is revoked, and its streams are closed', async () => {
    const ada = await world.aDeveloper();
    const { id: projectId } = await world.aProject(ada);
    const script = await aToken(world, ada, { scope: 'read' });
    const stream = await script.fetch(`${world.url}/api/projects/${projectId}/live`);
    const params = { developerId: ada.developer.id, tokenId: script.id };
    await ada.client.call(revokeAccessToken, { params });
    // The server ends the stream; otherwise this would wait forever.
    expect(await stream.text()).toContain('event: opened');
    const { message } = await failing(use(script), 'NO_LOGIN');
    expect(message).toContain('was revoked');
    await failing(ada.client.call(revokeAccessToken, { params }), 'ACCESS_TOKEN_NOT_FOUND');
    const texts = (await auditOf(world, ada.developer.id)).map(({ text }) => text);
    expect(texts).toContain('Access token Pipeline revoked');
  });

  it('when it expires, and the answer says so', async () => {
    const ada = await world.aDeveloper();
    const script = await aToken(world, ada, { expiresAt: inDays(1) });
    await use(script);
    world.pass(dayMs + hourMs);
    expect((await failing(use(script), 'NO_LOGIN')).message).toMatch(/expired on \d{4}-\d\d-\d\d/);
  });

  it('for a project when its developer is removed from it', async () => {
    const [ada, bob] = [await world.aDeveloper(), await world.aDeveloper()];
    const { id: projectId } = await world.aProject(ada);
    const body = { email: bob.email, role: 'developer' as const };
    await ada.client.call(addMember, { params: { projectId }, body });
    const { client } = await aToken(world, bob);
    await client.call(listDeviceClasses, { params: { projectId } });
    const params = { projectId, developerId: bob.developer.id };
    await ada.client.call(removeMember, { params });
    await failing(client.call(listDeviceClasses, { params: { projectId } }), 'NOT_A_MEMBER');
  });

  it('while its developer is suspended, or has not set up the two-factor authentication that is required', async () => {
    const ada = await world.aDeveloper();
    const script = await aToken(world, ada);
    const { db } = world.platform;
    const org = 'strict-org';
    await db.run(
      sql`insert into organizations (id, name, require_two_factor) values (${org}, 'Strict', true)`,
    );
    await db.run(sql`update developers set org_id = ${org} where id = ${ada.developer.id}`);
    await failing(use(script), 'TWO_FACTOR_REQUIRED');
    await db.run(sql`update developers set suspended = true where id = ${ada.developer.id}`);
    await failing(use(script), 'ACCOUNT_SUSPENDED');
  });

  it('when the password is reset, but after a change of password only on request', async () => {
    const ada = await world.aDeveloper();
    const [newPassword, script] = ['another four words', await aToken(world, ada)];
    const given = { orgId: 'default', email: ada.email };
    const change = (oldPassword: string, revokeTokens: boolean) =>
      ada.client.call(changePassword, { body: { ...given, oldPassword, newPassword, revokeTokens } });
    await change(ada.password, false);
    await use(script);
    await change(newPassword, true);
    await failing(use(script), 'NO_LOGIN');
    const second = await aToken(world, ada);
    await world.visitor().client.call(startPasswordReset, { body: given });
    const token = (await world.mailsTo(ada.email))[0]?.token ?? '';
    await world.visitor().client.call(resetPassword, { body: { token, newPassword } });
    await failing(use(second), 'NO_LOGIN');
  });
});

it('a text that only looks like an access token is rejected without a database query', () => {
  expect(isTokenSecret(`mor_${'A'.repeat(46)}`)).toBe(false);
});
