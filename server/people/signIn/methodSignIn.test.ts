import { beforeAll, describe, expect, it } from 'vitest';
import { readMe, unlinkMethod } from '#contract/appApi/me.ts';
import { changeUserPassword, signOut, startMethodSignIn, type Tokens } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import { editProject } from '#contract/project.ts';
import { editUserAuthMethod } from '#contract/userAuthMethod.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { insertUser } from '#server/people/users/userStore.ts';
import { anApp } from '#test/apps.ts';
import { atOnce } from '#test/atOnce.ts';
import { anEndUser, appClient, clientWith } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { meanwhile } from '#test/meanwhile.ts';
import { appRedirect, begin, codeFor, finish, followBack } from '#test/methodSignIns.ts';
import { signInAt } from '#test/oidcProvider.ts';
import { signIns } from '#test/signIns.ts';
import { unique } from '#test/world.ts';

const { at, aMethod } = signIns();
let app: { id: string; projectId: string };
let phone: Client;
let methodId: string;
beforeAll(async () => {
  app = await anApp(at.owner, at.project.id, { redirects: [appRedirect] });
  phone = appClient(at.world, app);
  methodId = await aMethod(at.provider);
});

const trust = (trustsEmail: boolean) =>
  at.owner.client.call(editUserAuthMethod, {
    params: { projectId: at.project.id, methodId },
    body: { trustsEmail },
  });
const settings = (body: { restrictUserReg?: boolean; userAccountMode?: 'email' | 'external' }) =>
  at.owner.client.call(editProject, { params: { projectId: at.project.id }, body });

async function signInAs(login: string, client = phone, more = {}): Promise<Tokens> {
  const begun = await begin(client, methodId, more);
  return finish(client, methodId, { ...begun, code: await codeFor(begun, login) });
}

describe('an end user at a real provider', () => {
  it('becomes a user of the project, and is the same user the next time', async () => {
    const login = unique('ada');
    const first = await signInAs(login);
    const again = await signInAs(login);
    expect(again.user.id).toBe(first.user.id);
    const me = await clientWith(at.world, app, again.accessToken).call(readMe);
    expect(me).toMatchObject({ name: `${login} of Test`, hasPassword: false, methods: [{ methodId }] });
    // The method is not trusted, so an address that was not verified here is not used.
    expect(me.email).toBeUndefined();
  });

  it('comes back to the app with only its state and a code', async () => {
    const { signInUrl } = await begin(phone, methodId);
    const back = await followBack(await signInAt(signInUrl, unique('ada')));
    expect(back.href.startsWith(`${appRedirect}?`)).toBe(true);
    expect([...back.searchParams.keys()].toSorted()).toEqual(['code', 'state']);
    expect(back.searchParams.get('state')).toBe('app-state');
  });

  it('gets the account with the same verified address only if the method is trusted', async () => {
    const login = unique('grace');
    const local = await anEndUser(at.world, app, { email: `${login}@example.com` });
    const apart = await signInAs(login);
    expect(apart.user.id).not.toBe(local.id);
    await trust(true);
    const other = unique('grace');
    const joined = await anEndUser(at.world, app, { email: `${other}@example.com` });
    expect((await signInAs(other)).user.id).toBe(joined.id);
    const [mail] = await at.world.mailsTo(joined.email);
    expect(mail?.subject).toContain('A way to sign in was added');
    await trust(false);
  });

  it('is not blocked by an unverified registration of the address', async () => {
    await trust(true);
    const login = unique('victim');
    const { platform } = at.world;
    const planted = { id: platform.newId('usr'), projectId: at.project.id, email: `${login}@example.com` };
    const passwordHash = 'set by somebody else';
    await insertUser(platform.db, { ...planted, name: 'Mallory', passwordHash, now: at.world.now() });
    const { user } = await signInAs(login);
    expect(user).toMatchObject({ verified: true, hasPassword: false, name: `${login} of Test` });
    await trust(false);
  });

  it('is refused if registration is restricted, unless already known', async () => {
    const login = unique('known');
    await signInAs(login);
    await settings({ restrictUserReg: true });
    await failing(signInAs(unique('new')), 'REGISTRATION_RESTRICTED');
    await signInAs(login);
    await settings({ restrictUserReg: false, userAccountMode: 'external' });
    await failing(begin(phone, methodId), 'EXTERNAL_ACCOUNTS');
    await settings({ userAccountMode: 'email' });
  });

  it('that was begun before accounts moved to a back end does not end in a session', async () => {
    const begun = await begin(phone, methodId);
    const code = await codeFor(begun, unique('late'));
    await settings({ userAccountMode: 'external' });
    await failing(finish(phone, methodId, { ...begun, code }), 'EXTERNAL_ACCOUNTS');
    await settings({ userAccountMode: 'email' });
  });

  it('is refused while suspended', async () => {
    const login = unique('gone');
    const { user } = await signInAs(login);
    await at.world.platform.db.run(sql`update users set suspended = true where id = ${user.id}`);
    await failing(signInAs(login), 'USER_SUSPENDED');
  });

  it('becomes one user, even if several first sign-ins end at the same instant', async () => {
    const login = unique('many');
    const begun = await Promise.all(Array.from({ length: 4 }, () => begin(phone, methodId)));
    const codes = await Promise.all(begun.map(one => codeFor(one, login)));
    const done = await Promise.all(
      begun.map((one, i) => finish(phone, methodId, { ...one, code: codes[i] ?? '' })),
    );
    expect(new Set(done.map(({ user }) => user.id)).size).toBe(1);
  });
});

describe('a method of an account', () => {
  it('can be added by a signed-in user with a recent proof, and removed again', async () => {
    const user = await anEndUser(at.world, app, { password: 'correct horse battery' });
    const login = unique('link');
    await failing(begin(phone, methodId, { link: true }), 'NO_USER_SESSION');
    const begun = await begin(user.client, methodId, { link: true });
    const tokens = await finish(phone, methodId, { ...begun, code: await codeFor(begun, login) });
    expect(tokens.user).toMatchObject({ id: user.id, methods: [{ methodId }] });
    expect((await signInAs(login)).user.id).toBe(user.id);
    at.world.pass(6 * minuteMs);
    await failing(begin(user.client, methodId, { link: true }), 'PROOF_REQUIRED');
    await failing(user.client.call(unlinkMethod, { params: { methodId } }), 'PROOF_REQUIRED');
    at.world.pass(-6 * minuteMs);
    const me = await user.client.call(unlinkMethod, { params: { methodId } });
    expect(me.methods).toEqual([]);
    await failing(user.client.call(unlinkMethod, { params: { methodId } }), 'USER_AUTH_METHOD_NOT_FOUND');
  });

  it('belongs to one account, and cannot be removed if it is the only way to sign in', async () => {
    const login = unique('taken');
    const { accessToken } = await signInAs(login);
    const own = clientWith(at.world, app, accessToken);
    await failing(own.call(unlinkMethod, { params: { methodId } }), 'LAST_WAY_IN');
    const other = await anEndUser(at.world, app);
    const begun = await begin(other.client, methodId, { link: true });
    const code = await codeFor(begun, login);
    await failing(finish(phone, methodId, { ...begun, code }), 'METHOD_LINKED');
  });
});

it('of two methods removed at the same instant, one stays', async () => {
  const { accessToken, user } = await signInAs(unique('two'));
  const second = await aMethod(at.provider);
  await at.world.platform.db.run(sql`
    insert into user_identities (project_id, method_id, issuer, sub, user_id, linked_at)
    values (${at.project.id}, ${second}, 'issuer', ${user.id}, ${user.id}, now())`);
  const me = clientWith(at.world, app, accessToken);
  const { answers, reasons } = await atOnce(2, number =>
    me.call(unlinkMethod, { params: { methodId: [methodId, second][number] ?? '' } }),
  );
  expect([answers.length, reasons]).toEqual([1, ['LAST_WAY_IN']]);
});

it('a method being added is no longer added once the password was changed', async () => {
  const password = 'correct horse battery';
  const { client, email } = await anEndUser(at.world, app, { password });
  const begun = await begin(client, methodId, { link: true });
  const code = await codeFor(begun, unique('thief'));
  const body = { email, oldPassword: password, newPassword: 'another horse battery' };
  await phone.call(changeUserPassword, { body });
  await failing(finish(phone, methodId, { ...begun, code }), 'CODE_WRONG');
});

it('adding a method fails if the session ends during the request to the provider', async () => {
  const { client, id } = await anEndUser(at.world, app);
  const body = { redirectUri: appRedirect, codeChallenge: 'c'.repeat(43), link: true };
  const begun = meanwhile(at.world, {
    caller: `${app.projectId} ${id}`,
    call: idempotencyKey => client.call(startMethodSignIn, { params: { methodId }, body, idempotencyKey }),
    change: () => client.call(signOut, {}),
  });
  await failing(begun, 'NO_USER_SESSION');
});

describe('a code', () => {
  it('works once, even with many concurrent calls', async () => {
    const begun = await begin(phone, methodId);
    const code = await codeFor(begun, unique('once'));
    const { answers, reasons } = await atOnce(10, () => finish(phone, methodId, { ...begun, code }));
    expect([answers.length, new Set(reasons)]).toEqual([1, new Set(['CODE_WRONG'])]);
  });

  it('is used up by a caller without its verifier', async () => {
    const begun = await begin(phone, methodId);
    const code = await codeFor(begun, unique('stolen'));
    const thief = { code, codeVerifier: 'x'.repeat(43) };
    await failing(finish(phone, methodId, thief), 'CODE_WRONG');
    await failing(finish(phone, methodId, { ...begun, code }), 'CODE_WRONG');
  });

  it('is refused for another app, for another method, and after a minute', async () => {
    const other = appClient(at.world, await anApp(at.owner, at.project.id, { redirects: [appRedirect] }));
    const elsewhere = await aMethod(at.provider);
    for (const [client, method] of [
      [other, methodId],
      [phone, elsewhere],
    ] as const) {
      const begun = await begin(phone, methodId);
      const code = await codeFor(begun, unique('wrong'));
      await failing(finish(client, method, { ...begun, code }), 'CODE_WRONG');
    }
    const begun = await begin(phone, methodId);
    const code = await codeFor(begun, unique('late'));
    at.world.pass(minuteMs + 1000);
    await failing(finish(phone, methodId, { ...begun, code }), 'CODE_WRONG');
    at.world.pass(-minuteMs - 1000);
  });

  it('is sent only to a registered redirect URI', async () => {
    for (const redirectUri of [
      `${appRedirect}/`,
      `${appRedirect}?x=1`,
      'com.example.thermo:/',
      'https://evil.example/signed-in',
      'COM.example.thermo:/signed-in',
    ])
      await failing(begin(phone, methodId, { redirectUri }), 'REDIRECT_UNKNOWN');
  });
});

describe('a return from the provider', () => {
  it('works once, in time, and at the method’s own redirect URI', async () => {
    const { signInUrl } = await begin(phone, methodId);
    const back = await signInAt(signInUrl, unique('back'));
    const other = back.replace(methodId, await aMethod(at.provider));
    expect((await fetch(other, { redirect: 'manual' })).status).toBe(400);
    const { signInUrl: second } = await begin(phone, methodId);
    const next = await signInAt(second, unique('back'));
    expect((await fetch(next, { redirect: 'manual' })).status).toBe(303);
    expect((await fetch(next, { redirect: 'manual' })).status).toBe(400);
    const { signInUrl: third } = await begin(phone, methodId);
    const late = await signInAt(third, unique('back'));
    at.world.pass(10 * minuteMs + 1000);
    expect((await fetch(late, { redirect: 'manual' })).status).toBe(400);
    at.world.pass(-10 * minuteMs - 1000);
  });

  it('with an error of the provider leads back to the app with the error', async () => {
    const { signInUrl } = await begin(phone, methodId);
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ state, error: 'access_denied', error_description: 'Not today' });
    const back = await followBack(`${at.world.url}/api/userAuth/callback/${methodId}?${query}`);
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('error_description')).toContain('Not today');
    expect(back.searchParams.get('code')).toBeNull();
  });
});
