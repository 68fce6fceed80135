import { describe, expect, it } from 'vitest';
import { addMember } from '#contract/team.ts';
import {
  createUserAuthMethod,
  deleteUserAuthMethod,
  editUserAuthMethod,
  listUserAuthMethods,
  readUserAuthMethod,
} from '#contract/userAuthMethod.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aHostileProvider } from '#test/hostileProvider.ts';
import { signIns } from '#test/signIns.ts';

const { at, method, create, paramsOf } = signIns();

describe('a sign-in method', () => {
  it('is stored once its provider has been checked, and returns the findings', async () => {
    const made = await create(method({ description: 'For everybody' }));
    expect(made).toMatchObject({
      label: 'Test login',
      description: 'For everybody',
      iconUrl: '',
      protocol: 'oidc',
      config: { issuer: at.provider.issuer, clientId: at.provider.clientId },
      redirectUri: expect.stringMatching(/\/api\/userAuth\/callback\/uam_\w{26}$/),
      revision: 1,
    });
    expect(made.findings).toContainEqual({ level: 'ok', text: 'It supports PKCE with S256.' });
    expect(made.findings).toContainEqual({ level: 'ok', text: 'The key set has 1 key.' });
    const { findings: _, ...kept } = made;
    expect(await at.owner.client.call(readUserAuthMethod, { params: paramsOf(made) })).toEqual(kept);
    const all = await at.owner.client.call(listUserAuthMethods, { params: { projectId: at.project.id } });
    expect(all).toContainEqual(kept);
  });

  it('never returns its client secret, and stores it sealed', async () => {
    const secret = 'never-to-be-seen-again';
    const config = { issuer: at.provider.issuer, clientId: 'c', clientSecret: secret };
    const made = await create(method({ config }));
    const params = paramsOf(made);
    const edited = await at.owner.client.call(editUserAuthMethod, {
      params,
      body: { config: { clientSecret: `${secret}-2` } },
    });
    const read = await at.owner.client.call(readUserAuthMethod, { params });
    expect(JSON.stringify([made, edited, read])).not.toContain(secret);
    const { db, sealing } = at.world.platform;
    const rows = await db.many(sql`select * from user_auth_methods where id = ${made.id}`);
    const entries = await db.many(sql`select * from log_entries where project_id = ${at.project.id}`);
    expect(JSON.stringify([rows, entries])).not.toContain(secret);
    const [row] = await db.many<{ client_secret: Buffer }>(
      sql`select client_secret from user_auth_methods where id = ${made.id}`,
    );
    expect(sealing.open(row?.client_secret ?? Buffer.alloc(0))).toBe(`${secret}-2`);
  });

  it('changes only the fields that are sent, and checks the issuer only if it is sent', async () => {
    const made = await create(method());
    const params = paramsOf(made);
    const edited = await at.owner.client.call(editUserAuthMethod, {
      params,
      body: { label: 'Other' },
      ifMatch: 1,
    });
    expect(edited).toMatchObject({ label: 'Other', config: made.config, revision: 2, findings: [] });
    const again = await at.owner.client.call(editUserAuthMethod, {
      params,
      body: { config: { issuer: at.provider.issuer } },
    });
    expect(again.findings.length).toBeGreaterThan(3);
    const stale = at.owner.client.call(editUserAuthMethod, { params, body: { label: 'Late' }, ifMatch: 2 });
    await failing(stale, 'STALE');
    const moved = { config: { issuer: 'http://127.0.0.1:1' } };
    await failing(at.owner.client.call(editUserAuthMethod, { params, body: moved }), 'ADDRESS_REFUSED');
    expect((await at.owner.client.call(readUserAuthMethod, { params })).config).toEqual(made.config);
  });

  it('does not send its secret to another issuer: a new issuer requires a new secret', async () => {
    await using thief = await aHostileProvider();
    const made = await create(method());
    const params = paramsOf(made);
    const { issuer } = thief;
    const edit = at.owner.client.call(editUserAuthMethod, { params, body: { config: { issuer } } });
    expect((await failing(edit, 'INVALID_FIELDS')).fields).toEqual({ 'config.clientSecret': 'REQUIRED' });
    expect((await at.owner.client.call(readUserAuthMethod, { params })).config).toEqual(made.config);
    const config = { issuer, clientSecret: 'new' };
    await at.owner.client.call(editUserAuthMethod, { params, body: { config } });
  });

  it('is not found once it is deleted', async () => {
    const made = await create(method());
    const params = paramsOf(made);
    await failing(at.owner.client.call(deleteUserAuthMethod, { params, ifMatch: 7 }), 'STALE');
    await at.owner.client.call(deleteUserAuthMethod, { params });
    await failing(at.owner.client.call(readUserAuthMethod, { params }), 'USER_AUTH_METHOD_NOT_FOUND');
    await failing(at.owner.client.call(deleteUserAuthMethod, { params }), 'USER_AUTH_METHOD_NOT_FOUND');
  });

  it('is not found in another project of the same owner', async () => {
    const made = await create(method());
    const other = await at.world.aProject(at.owner);
    const params = paramsOf(made, other);
    await failing(at.owner.client.call(readUserAuthMethod, { params }), 'USER_AUTH_METHOD_NOT_FOUND');
    await failing(at.owner.client.call(deleteUserAuthMethod, { params }), 'USER_AUTH_METHOD_NOT_FOUND');
  });

  it('can be read, but not changed, by a viewer', async () => {
    const made = await create(method());
    const viewer = await at.world.aDeveloper();
    const params = { projectId: at.project.id };
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await viewer.client.call(readUserAuthMethod, { params: paramsOf(made) });
    await failing(viewer.client.call(createUserAuthMethod, { params, body: method() }), 'ROLE_TOO_LOW');
    const edit = { params: paramsOf(made), body: { label: 'x' } };
    await failing(viewer.client.call(editUserAuthMethod, edit), 'ROLE_TOO_LOW');
    await failing(viewer.client.call(deleteUserAuthMethod, { params: paramsOf(made) }), 'ROLE_TOO_LOW');
  });

  it('is limited to twenty per project, also with concurrent calls', async () => {
    const full = await at.world.aProject(at.owner);
    const { platform } = at.world;
    const some = await create(method(), full);
    await platform.db.run(sql`
      insert into user_auth_methods (project_id, id, label, protocol, issuer, client_id, client_secret, created_at)
      select project_id, 'uam_' || n, label, protocol, issuer, client_id, client_secret, created_at
      from user_auth_methods, generate_series(1, 17) n where id = ${some.id}`);
    const added = await Promise.allSettled(Array.from({ length: 8 }, () => create(method(), full)));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await failing(create(method(), full), 'TOO_MANY_METHODS');
    const all = await at.owner.client.call(listUserAuthMethods, { params: { projectId: full.id } });
    expect(all).toHaveLength(20);
  });

  it.each([
    ['no label', { label: ' ' }],
    ['a label of two lines', { label: 'a\nb' }],
    ['another protocol', { protocol: 'saml' as 'oidc' }],
    ['an empty secret', { config: { issuer: 'https://x.example', clientId: 'c', clientSecret: '' } }],
    ['no issuer', { config: { issuer: '', clientId: 'c', clientSecret: 's' } }],
  ])('with %s is refused before any request is made', async (_what, more) => {
    await failing(create(method(more)), 'INVALID_FIELDS');
  });
});
