import { beforeAll, describe, expect, it } from 'vitest';
import { type App, editApp } from '#contract/app.ts';
import { readAppConfig, readMethodIcon } from '#contract/appApi/config.ts';
import { readMe } from '#contract/appApi/me.ts';
import { signIn } from '#contract/appApi/session.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { atOnce } from '#test/atOnce.ts';
import { anEndUser, appClient } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld({ RATE_LIMITS: 'on' });
let app: App;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId, { config: { theme: 'dark' } });
});

const edit = (body: BodyOf<typeof editProject>) =>
  at.owner.client.call(editProject, { params: { projectId: at.projectId }, body });
const config = () => appClient(at.world, app).call(readAppConfig);

it('a user can make as many calls as the project allows, without slowing down other users', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  const its = await anApp(at.owner, projectId);
  await at.owner.client.call(editProject, { params: { projectId }, body: { userCallRate: 1 } });
  const [busy, calm] = [await anEndUser(at.world, its), await anEndUser(at.world, its)];
  const { answers, reasons } = await atOnce(12, () => busy.client.call(readMe, {}));
  expect(answers.length).toBeLessThan(8);
  expect(new Set(reasons)).toEqual(new Set(['TOO_MANY_REQUESTS']));
  expect((await calm.client.call(readMe, {})).id).toBe(calm.id);
});

describe('what an app reads before a user signs in', () => {
  it('has its config and the ways to sign in, and changes appear with the next call', async () => {
    const before = await config();
    expect(before).toMatchObject({
      app: app.id,
      config: { theme: 'dark' },
      userAccountMode: 'email',
      registration: 'open',
      passwordLogin: true,
      methods: [],
      accessControl: 'legacy',
      homeCreation: true,
    });
    expect(before.passwordPolicy).toBeUndefined();
    await at.owner.client.call(editApp, { params: { appId: app.id }, body: { config: { theme: 'light' } } });
    const policy = {
      minLength: 12,
      mustHaveUppercase: true,
      mustHaveLowercase: true,
      mustHaveNumber: true,
      mustHaveNonAlphanum: true,
    };
    await edit({
      name: 'Harbour',
      userAuthMessage: 'Welcome aboard',
      userPasswordPolicy: policy,
      restrictUserReg: true,
      restrictPasswordLogin: true,
      restrictHomeCreation: true,
      onDemandProvisioning: true,
      enablePermissionBasedAccessControl: true,
    });
    expect(await config()).toMatchObject({
      config: { theme: 'light' },
      userAuthMessage: 'Welcome aboard',
      passwordPolicy: policy,
      project: { id: at.projectId, name: 'Harbour' },
      registration: 'invitation',
      passwordLogin: false,
      accessControl: 'roles',
      homeCreation: false,
      onDemandProvisioning: true,
    });
    await edit({ restrictPasswordLogin: false });
  });

  it('has the sign-in methods, with icons that any page may show', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    await at.world.platform.db.run(sql`
      insert into user_auth_methods (project_id, id, label, description, icon_url, icon_type, icon, protocol, issuer, client_id,
        client_secret, created_at)
      values (${at.projectId}, 'uam_1', 'Acme ID', 'For staff', '', 'image/png', ${png}, 'oidc', 'https://id.example', 'c',
          ${Buffer.from('s')}, now()),
        (${at.projectId}, 'uam_2', 'Bare', '', '', null, null, 'oidc', 'https://id.example', 'c', ${Buffer.from('s')}, now())`);
    const { methods } = await config();
    expect(methods.map(({ id, label }) => [id, label])).toEqual([
      ['uam_1', 'Acme ID'],
      ['uam_2', 'Bare'],
    ]);
    const icon = await fetch(methods[0]?.iconUrl ?? '');
    expect([icon.headers.get('content-type'), icon.headers.get('cross-origin-resource-policy')]).toEqual([
      'image/png',
      'cross-origin',
    ]);
    expect(Buffer.from(await icon.arrayBuffer())).toEqual(png);
    const phone = appClient(at.world, app);
    await failing(phone.call(readMethodIcon, { params: { methodId: 'uam_2' } }), 'RESOURCE_NOT_FOUND');
    await failing(phone.call(readMethodIcon, { params: { methodId: 'none' } }), 'USER_AUTH_METHOD_NOT_FOUND');
    await edit({ userAccountMode: 'external' });
    expect(await config()).toMatchObject({ methods: [], passwordLogin: false });
    await edit({ userAccountMode: 'email' });
  });
});

it('an address can try twenty passwords at once, for any users', async () => {
  const phone = appClient(at.world, app);
  const guess = () =>
    phone.call(signIn, { body: { email: `${unique('u')}@example.com`, password: 'a guess' } });
  const { answers, reasons: told } = await at.world.atOneMoment(() => atOnce(40, guess));
  expect(answers).toEqual([]);
  expect(told.filter(reason => reason === 'LOGIN_FAILED')).toHaveLength(20);
  expect(told.filter(reason => reason === 'TOO_MANY_REQUESTS')).toHaveLength(20);
});
