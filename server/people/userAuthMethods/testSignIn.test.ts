import { beforeAll, describe, expect, it } from 'vitest';
import { deleteProject } from '#contract/project.ts';
import { addMember, removeMember } from '#contract/team.ts';
import { deleteUserAuthMethod } from '#contract/userAuthMethod.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { keepHouse } from '#server/infra/jobs/housekeeping.ts';
import { failing } from '#test/failing.ts';
import { signInAt } from '#test/oidcProvider.ts';
import { signIns } from '#test/signIns.ts';
import { userAuthChores } from './flows.ts';

const { at, aMethod, start, outcome, comeBack, callback, pageOf } = signIns();
let methodId: string;
beforeAll(async () => {
  methodId = await aMethod(at.provider);
});

describe('a test sign-in at a real provider', () => {
  it('shows the claims about the person who signed in, on the page where it began', async () => {
    const { testId, signInUrl } = await start(methodId);
    expect(await outcome(methodId, testId)).toEqual({ id: testId, state: 'waiting' });
    const back = await signInAt(signInUrl, 'ada');
    expect(await comeBack(back)).toEqual([303, pageOf(methodId, testId)]);
    expect(await outcome(methodId, testId)).toMatchObject({
      state: 'done',
      claims: {
        iss: at.provider.issuer,
        aud: at.provider.clientId,
        sub: 'ada',
        email: 'ada@example.com',
        email_verified: true,
        name: 'ada of Test',
      },
    });
  });

  it('asks for a code bound to this sign-in', async () => {
    const { signInUrl } = await start(methodId);
    expect(Object.fromEntries(new URL(signInUrl).searchParams)).toEqual({
      client_id: at.provider.clientId,
      response_type: 'code',
      redirect_uri: `${at.world.url}/api/userAuth/callback/${methodId}`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('works for several sign-ins at once in one browser', async () => {
    const tests = await Promise.all([start(methodId), start(methodId), start(methodId)]);
    for (const [i, { signInUrl }] of tests.entries()) await comeBack(await signInAt(signInUrl, `user${i}`));
    for (const [i, { testId }] of tests.entries()) {
      expect((await outcome(methodId, testId)).claims).toMatchObject({ sub: `user${i}` });
    }
  });

  it('is finished once, even if the browser comes back many times at once', async () => {
    const { testId, signInUrl } = await start(methodId);
    const back = await signInAt(signInUrl, 'ada');
    const answers = await Promise.all(Array.from({ length: 10 }, () => comeBack(back)));
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([303]));
    expect(await outcome(methodId, testId)).toMatchObject({ state: 'done' });
    expect(await comeBack(back)).toEqual([303, pageOf(methodId, testId)]);
    expect(await outcome(methodId, testId)).toMatchObject({ state: 'done' });
  });

  it('reports a wrong secret', async () => {
    const id = await aMethod({ ...at.provider, clientSecret: 'wrong' });
    const { testId, signInUrl } = await start(id);
    await comeBack(await signInAt(signInUrl, 'ada'));
    expect(await outcome(id, testId)).toEqual({
      id: testId,
      state: 'failed',
      fault: expect.stringContaining('Check the client id and client secret.'),
    });
  });

  it('notifies all open consoles when it is over', async () => {
    const heard: unknown[] = [];
    const end = at.world.platform.bus.subscribe(`project ${at.project.id}`, message => heard.push(message));
    const { testId, signInUrl } = await start(methodId);
    await comeBack(await signInAt(signInUrl, 'ada'));
    end();
    const path = `/projects/${at.project.id}/userAuthMethods/${methodId}/tests/${testId}`;
    expect(heard).toContainEqual({ kind: 'changed', path });
  });

  it('leaves neither state nor claims in the audit log', async () => {
    const { signInUrl } = await start(methodId);
    await comeBack(await signInAt(signInUrl, 'grace'));
    const entries = await at.world.platform.db.many(
      sql`select * from log_entries where project_id = ${at.project.id} and action = 'startUserAuthTest'`,
    );
    expect(entries.length).toBeGreaterThan(0);
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    expect(JSON.stringify(entries)).not.toContain(state);
    expect(JSON.stringify(entries)).not.toContain('grace');
  });
});

describe('a return from a provider', () => {
  it.each([
    ['no state', {}],
    ['a state nobody began', { state: 'x'.repeat(43), code: 'c' }],
    ['an empty state', { state: '', code: 'c' }],
    ['only an error', { error: 'access_denied' }],
  ])('with %s is refused', async (_what, query) => {
    const response = await at.owner.fetch(callback(methodId, query as Record<string, string>), {
      redirect: 'manual',
    });
    expect([response.status, ((await response.json()) as { reason: string }).reason]).toEqual([
      400,
      'INVALID_LINK',
    ]);
  });

  it.each(['state=a&state=b', 'state=%00', `state=${'a'.repeat(600)}`, `state=a&code=${'c'.repeat(5000)}`])(
    'with the query %s is refused',
    async query => {
      const response = await at.owner.fetch(`${at.world.url}/api/userAuth/callback?${query}`);
      expect(response.status).toBe(400);
    },
  );

  it('in another browser is refused, and the sign-in can continue in its own', async () => {
    const { testId, signInUrl } = await start(methodId);
    const back = await signInAt(signInUrl, 'mallory');
    const other = at.world.visitor();
    expect((await comeBack(back, other))[0]).toBe(400);
    other.cookies.set('mooring-sign-in', 'x'.repeat(43));
    expect((await comeBack(back, other))[0]).toBe(400);
    expect(await outcome(methodId, testId)).toMatchObject({ state: 'waiting' });
    await comeBack(back);
    expect(await outcome(methodId, testId)).toMatchObject({ state: 'done' });
  });

  it('at the shared redirect URI is refused, except for methods that use it', async () => {
    const { testId, signInUrl } = await start(methodId);
    const back = (await signInAt(signInUrl, 'ada')).replace(`/${methodId}?`, '?');
    expect((await comeBack(back))[0]).toBe(400);
    const { db } = at.world.platform;
    await db.run(sql`update user_auth_methods set own_callback = false where id = ${methodId}`);
    expect(await comeBack(back)).toEqual([303, pageOf(methodId, testId)]);
    await db.run(sql`update user_auth_methods set own_callback = true where id = ${methodId}`);
  });

  it("with an error shows the provider's description", async () => {
    const { testId, signInUrl } = await start(methodId);
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    const said = '<script>alert(1)</script>';
    await comeBack(callback(methodId, { state, error: 'access_denied', error_description: said }));
    expect(await outcome(methodId, testId)).toEqual({
      id: testId,
      state: 'failed',
      fault: `The provider ended the sign-in: access_denied (${said}).`,
    });
  });

  it('without a code fails', async () => {
    const { testId, signInUrl } = await start(methodId);
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    await comeBack(callback(methodId, { state }));
    expect(await outcome(methodId, testId)).toMatchObject({
      state: 'failed',
      fault: 'The provider redirected the browser back without a code.',
    });
  });

  it('with the code of another sign-in fails', async () => {
    const [first, second] = [await start(methodId), await start(methodId)];
    const back = new URL(await signInAt(first.signInUrl, 'ada'));
    back.searchParams.set('state', new URL(second.signInUrl).searchParams.get('state') ?? '');
    await comeBack(back.href);
    expect(await outcome(methodId, second.testId)).toMatchObject({
      state: 'failed',
      fault: expect.stringContaining('The provider rejected the code: invalid_grant'),
    });
  });

  it('after ten minutes fails', async () => {
    const { testId, signInUrl } = await start(methodId);
    const back = await signInAt(signInUrl, 'ada');
    at.world.pass(10 * minuteMs + 1000);
    expect(await comeBack(back)).toEqual([303, pageOf(methodId, testId)]);
    expect(await outcome(methodId, testId)).toMatchObject({
      state: 'failed',
      fault: 'The sign-in was not completed within 10 minutes. Start it again.',
    });
    at.world.pass(-10 * minuteMs - 1000);
  });

  it('after the method was deleted is refused', async () => {
    const id = await aMethod(at.provider);
    const { signInUrl } = await start(id);
    const back = await signInAt(signInUrl, 'ada');
    await at.owner.client.call(deleteUserAuthMethod, { params: { projectId: at.project.id, methodId: id } });
    expect((await comeBack(back))[0]).toBe(400);
  });

  it('after the project was deleted is refused', async () => {
    const kept = at.project;
    at.project = await at.world.aProject(at.owner);
    const id = await aMethod(at.provider);
    const { signInUrl } = await start(id);
    const back = await signInAt(signInUrl, 'ada');
    await at.owner.client.call(deleteProject, { params: { projectId: at.project.id } });
    expect((await comeBack(back))[0]).toBe(400);
    at.project = kept;
  });
});

describe('the outcome of a test sign-in', () => {
  it('can be read only by the developer who began it', async () => {
    const colleague = await at.world.aDeveloper();
    const params = { projectId: at.project.id };
    await at.owner.client.call(addMember, { params, body: { email: colleague.email } });
    const { testId, signInUrl } = await start(methodId);
    await comeBack(await signInAt(signInUrl, 'ada'));
    await failing(outcome(methodId, testId, colleague), 'TEST_NOT_FOUND');
    const { testId: theirs } = await start(methodId, colleague);
    await failing(outcome(methodId, theirs), 'TEST_NOT_FOUND');
    const developerId = colleague.developer.id;
    await at.owner.client.call(removeMember, { params: { ...params, developerId } });
    await failing(outcome(methodId, theirs, colleague), 'USER_AUTH_METHOD_NOT_FOUND');
  });

  it('cannot be read through another method', async () => {
    const { testId } = await start(methodId);
    const other = await aMethod(at.provider);
    await failing(outcome(other, testId), 'TEST_NOT_FOUND');
    await failing(outcome(methodId, 'tst_none'), 'TEST_NOT_FOUND');
  });

  it('does not exist for viewers, who cannot begin one', async () => {
    const viewer = await at.world.aDeveloper();
    const params = { projectId: at.project.id };
    await at.owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await failing(start(methodId, viewer), 'ROLE_TOO_LOW');
  });

  it('is not returned after an hour, and is deleted by housekeeping', async () => {
    const { testId, signInUrl } = await start(methodId);
    await comeBack(await signInAt(signInUrl, 'ada'));
    at.world.pass(hourMs + 1000);
    await failing(outcome(methodId, testId), 'TEST_NOT_FOUND');
    const { db, log } = at.world.platform;
    const keep = keepHouse({ db, log, clock: () => at.world.now(), chores: userAuthChores });
    await keep({}, { isLast: true, signal: undefined });
    expect(await db.many(sql`select id from user_auth_flows where id = ${testId}`)).toEqual([]);
    at.world.pass(-hourMs - 1000);
  });
});
