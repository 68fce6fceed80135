import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember, removeMember } from '#contract/member.ts';
import { deleteProject, type Project } from '#contract/project.ts';
import {
  createUserAuthMethod,
  deleteUserAuthMethod,
  editUserAuthMethod,
  readUserAuthTest,
  startUserAuthTest,
  type UserAuthTest,
} from '#contract/userAuthMethod.ts';
import { sql } from '#server/db/sql.ts';
import { keepHouse } from '#server/jobs/housekeeping.ts';
import { userAuthChores } from '#server/userAuthMethods/flows.ts';
import { failing } from '#test/failing.ts';
import { aHostileProvider, type HostileProvider } from '#test/hostileProvider.ts';
import { anOidcProvider, type OidcProvider, signInAt } from '#test/oidcProvider.ts';
import { aWorld, hourMs, minuteMs, type SignedIn, type Visitor, type World } from '#test/world.ts';

let world: World;
let provider: OidcProvider;
let owner: SignedIn;
let project: Project;
let methodId: string;

beforeAll(async () => {
  provider = await anOidcProvider();
  world = await aWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
  provider.register(`${world.url}/api/userAuth/callback`);
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
  methodId = await aMethod(provider);
});
afterAll(async () => {
  await world.end();
  await provider.end();
});

async function aMethod({ issuer, clientId = 'client', clientSecret = 'secret' }: Partial<OidcProvider>) {
  const config = { issuer: issuer ?? '', clientId, clientSecret };
  const body = { label: 'Test login', protocol: 'oidc', config } as const;
  const { id } = await owner.client.call(createUserAuthMethod, { params: { projectId: project.id }, body });
  return id;
}

function start(by: Visitor = owner, id = methodId) {
  return by.client.call(startUserAuthTest, { params: { projectId: project.id, methodId: id } });
}

function outcome(testId: string, by: Visitor = owner, id = methodId): Promise<UserAuthTest> {
  return by.client.call(readUserAuthTest, { params: { projectId: project.id, methodId: id, testId } });
}

/** The browser follows where the provider sends it; answers the status and where it is sent on to. */
async function comeBack(to: string, by: Visitor = owner): Promise<[status: number, location: string | null]> {
  const response = await by.fetch(to, { redirect: 'manual' });
  return [response.status, response.headers.get('location')];
}

const callback = (query: Record<string, string>) =>
  `${world.url}/api/userAuth/callback?${new URLSearchParams(query)}`;
const pageOf = (testId: string, id = methodId) =>
  `/projects/${project.id}/user_auth_methods/${id}?test=${testId}`;

describe('a test sign-in at a real provider', () => {
  it('shows what the provider says about who signed in, on the page it began from', async () => {
    const { testId, signInUrl } = await start();
    expect(await outcome(testId)).toEqual({ id: testId, state: 'waiting' });
    const back = await signInAt(signInUrl, 'ada');
    expect(await comeBack(back)).toEqual([303, pageOf(testId)]);
    expect(await outcome(testId)).toMatchObject({
      state: 'done',
      claims: {
        iss: provider.issuer,
        aud: provider.clientId,
        sub: 'ada',
        email: 'ada@example.com',
        email_verified: true,
        name: 'ada of Test',
      },
    });
  });

  it('asks for a code bound to this sign-in', async () => {
    const { signInUrl } = await start();
    expect(Object.fromEntries(new URL(signInUrl).searchParams)).toEqual({
      client_id: provider.clientId,
      response_type: 'code',
      redirect_uri: `${world.url}/api/userAuth/callback`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('works for several at once in one browser', async () => {
    const tests = await Promise.all([start(), start(), start()]);
    for (const [i, { signInUrl }] of tests.entries()) await comeBack(await signInAt(signInUrl, `user${i}`));
    for (const [i, { testId }] of tests.entries()) {
      expect((await outcome(testId)).claims).toMatchObject({ sub: `user${i}` });
    }
  });

  it('is finished once, however often and however simultaneously the browser comes back', async () => {
    const { testId, signInUrl } = await start();
    const back = await signInAt(signInUrl, 'ada');
    const answers = await Promise.all(Array.from({ length: 10 }, () => comeBack(back)));
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([303]));
    expect(await outcome(testId)).toMatchObject({ state: 'done' });
    expect(await comeBack(back)).toEqual([303, pageOf(testId)]);
    expect(await outcome(testId)).toMatchObject({ state: 'done' });
  });

  it('says so when the secret is wrong', async () => {
    const id = await aMethod({ ...provider, clientSecret: 'wrong' });
    const { testId, signInUrl } = await start(owner, id);
    await comeBack(await signInAt(signInUrl, 'ada'));
    expect(await outcome(testId, owner, id)).toEqual({
      id: testId,
      state: 'failed',
      fault: expect.stringContaining('Check the client id and the client secret.'),
    });
  });

  it('tells every open console when it is over', async () => {
    const heard: unknown[] = [];
    const end = world.platform.bus.subscribe(`project ${project.id}`, message => heard.push(message));
    const { testId, signInUrl } = await start();
    await comeBack(await signInAt(signInUrl, 'ada'));
    end();
    const path = `/projects/${project.id}/userAuthMethods/${methodId}/tests/${testId}`;
    expect(heard).toContainEqual({ kind: 'changed', path });
  });

  it('leaves neither state nor claims in the audit log', async () => {
    const { signInUrl } = await start();
    await comeBack(await signInAt(signInUrl, 'grace'));
    const entries = await world.platform.db.many(
      sql`select * from log_entries where project_id = ${project.id} and action = 'startUserAuthTest'`,
    );
    expect(entries.length).toBeGreaterThan(0);
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    expect(JSON.stringify(entries)).not.toContain(state);
    expect(JSON.stringify(entries)).not.toContain('grace');
  });
});

describe('coming back from a provider', () => {
  it.each([
    ['no state', {}],
    ['a state nobody began', { state: 'x'.repeat(43), code: 'c' }],
    ['an empty state', { state: '', code: 'c' }],
    ['only an error', { error: 'access_denied' }],
  ])('with %s leads nowhere', async (_what, query) => {
    const response = await owner.fetch(callback(query as Record<string, string>), { redirect: 'manual' });
    expect([response.status, ((await response.json()) as { reason: string }).reason]).toEqual([
      400,
      'INVALID_LINK',
    ]);
  });

  it.each(['state=a&state=b', 'state=%00', `state=${'a'.repeat(600)}`, `state=a&code=${'c'.repeat(5000)}`])(
    'with the query %s is refused',
    async query => {
      const response = await owner.fetch(`${world.url}/api/userAuth/callback?${query}`);
      expect(response.status).toBe(400);
    },
  );

  it('in another browser leads nowhere, and leaves the sign-in to its own', async () => {
    const { testId, signInUrl } = await start();
    const back = await signInAt(signInUrl, 'mallory');
    const other = world.visitor();
    expect((await comeBack(back, other))[0]).toBe(400);
    other.cookies.set('mooring-sign-in', 'x'.repeat(43));
    expect((await comeBack(back, other))[0]).toBe(400);
    expect(await outcome(testId)).toMatchObject({ state: 'waiting' });
    await comeBack(back);
    expect(await outcome(testId)).toMatchObject({ state: 'done' });
  });

  it('with an error shows what the provider said', async () => {
    const { testId, signInUrl } = await start();
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    const said = '<script>alert(1)</script>';
    await comeBack(callback({ state, error: 'access_denied', error_description: said }));
    expect(await outcome(testId)).toEqual({
      id: testId,
      state: 'failed',
      fault: `The provider ended the sign-in: access_denied (${said}).`,
    });
  });

  it('without a code is a failure', async () => {
    const { testId, signInUrl } = await start();
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    await comeBack(callback({ state }));
    expect(await outcome(testId)).toMatchObject({
      state: 'failed',
      fault: 'The provider sent the browser back without a code.',
    });
  });

  it('with a code of another sign-in is a failure: each code is bound to its own', async () => {
    const [first, second] = [await start(), await start()];
    const back = new URL(await signInAt(first.signInUrl, 'ada'));
    back.searchParams.set('state', new URL(second.signInUrl).searchParams.get('state') ?? '');
    await comeBack(back.href);
    expect(await outcome(second.testId)).toMatchObject({
      state: 'failed',
      fault: expect.stringContaining('The provider refuses the code: invalid_grant'),
    });
  });

  it('after ten minutes is too late', async () => {
    const { testId, signInUrl } = await start();
    const back = await signInAt(signInUrl, 'ada');
    world.pass(10 * minuteMs + 1000);
    expect(await comeBack(back)).toEqual([303, pageOf(testId)]);
    expect(await outcome(testId)).toMatchObject({
      state: 'failed',
      fault: 'The sign-in was not finished within 10 minutes. Start it again.',
    });
    world.pass(-10 * minuteMs - 1000);
  });

  it('after the method was deleted leads nowhere', async () => {
    const id = await aMethod(provider);
    const { signInUrl } = await start(owner, id);
    const back = await signInAt(signInUrl, 'ada');
    await owner.client.call(deleteUserAuthMethod, { params: { projectId: project.id, methodId: id } });
    expect((await comeBack(back))[0]).toBe(400);
  });

  it('after the project was deleted leads nowhere', async () => {
    const kept = project;
    project = await world.aProject(owner);
    const id = await aMethod(provider);
    const { signInUrl } = await start(owner, id);
    const back = await signInAt(signInUrl, 'ada');
    await owner.client.call(deleteProject, { params: { projectId: project.id } });
    expect((await comeBack(back))[0]).toBe(400);
    project = kept;
  });
});

describe('the outcome of a test sign-in', () => {
  it('is for the developer who began it, and for nobody else in the team', async () => {
    const colleague = await world.aDeveloper();
    const params = { projectId: project.id };
    await owner.client.call(addMember, { params, body: { email: colleague.email } });
    const { testId, signInUrl } = await start();
    await comeBack(await signInAt(signInUrl, 'ada'));
    await failing(outcome(testId, colleague), 'TEST_NOT_FOUND');
    const { testId: theirs } = await start(colleague);
    await failing(outcome(theirs), 'TEST_NOT_FOUND');
    const developerId = colleague.developer.id;
    await owner.client.call(removeMember, { params: { ...params, developerId } });
    await failing(outcome(theirs, colleague), 'USER_AUTH_METHOD_NOT_FOUND');
  });

  it('is of its own method', async () => {
    const { testId } = await start();
    const other = await aMethod(provider);
    await failing(outcome(testId, owner, other), 'TEST_NOT_FOUND');
    await failing(outcome('tst_none'), 'TEST_NOT_FOUND');
  });

  it('is not for viewers to begin', async () => {
    const viewer = await world.aDeveloper();
    const params = { projectId: project.id };
    await owner.client.call(addMember, { params, body: { email: viewer.email, role: 'viewer' } });
    await failing(start(viewer), 'ROLE_TOO_LOW');
  });

  it('is forgotten after an hour, by reader and housekeeping alike', async () => {
    const { testId, signInUrl } = await start();
    await comeBack(await signInAt(signInUrl, 'ada'));
    world.pass(hourMs + 1000);
    await failing(outcome(testId), 'TEST_NOT_FOUND');
    const { db, log } = world.platform;
    const keep = keepHouse({ db, log, clock: () => world.now(), chores: userAuthChores });
    await keep({}, { isLast: true, signal: undefined });
    expect(await db.many(sql`select id from user_auth_flows where id = ${testId}`)).toEqual([]);
    world.pass(-hourMs - 1000);
  });
});

describe('a hostile provider', () => {
  let hostile: HostileProvider;
  let id: string;
  beforeAll(async () => {
    hostile = await aHostileProvider();
    id = await aMethod({ issuer: hostile.issuer });
  });
  afterAll(async () => {
    await hostile[Symbol.asyncDispose]();
  });

  interface Asked {
    nonce: string;
    nowS: number;
  }
  /** Lets a sign-in come back from the provider, with these tokens. */
  async function afterSignIn(
    tokens: (asked: Asked) => object | string,
    more: Record<string, string> = {},
  ): Promise<UserAuthTest> {
    const { testId, signInUrl } = await start(owner, id);
    const { searchParams } = new URL(signInUrl);
    const asked = {
      nonce: searchParams.get('nonce') ?? '',
      nowS: Math.floor(world.now().getTime() / 1000),
    };
    hostile.tokens = () => tokens(asked);
    const state = searchParams.get('state') ?? '';
    expect(await comeBack(callback({ state, code: 'c', ...more }))).toEqual([303, pageOf(testId, id)]);
    return outcome(testId, owner, id);
  }

  const decent = ({ nonce, nowS }: Asked) => ({
    iss: hostile.issuer,
    aud: 'client',
    sub: 'u-1',
    nonce,
    iat: nowS,
    exp: nowS + 300,
  });
  const answer = (id_token: string) => ({ access_token: 'a', token_type: 'bearer', id_token });

  it('that behaves is believed', async () => {
    const result = await afterSignIn(asked => answer(hostile.signed(decent(asked))));
    expect(result).toMatchObject({ state: 'done', claims: { sub: 'u-1' } });
  });

  const lies: [string, (asked: Asked) => string, RegExp][] = [
    ['an algorithm none', asked => hostile.unsigned(decent(asked)), /alg/],
    ['HS256 with the public key', asked => hostile.signedWithPublicKey(decent(asked)), /alg/],
    ['another key', asked => hostile.signedWithOtherKey(decent(asked)), /signature/],
    ['a key id of no key', asked => hostile.signed(decent(asked), { kid: 'x' }), /key that is not in/],
    ['no nonce', asked => hostile.signed({ ...decent(asked), nonce: undefined }), /nonce/],
    ['the nonce of another sign-in', asked => hostile.signed({ ...decent(asked), nonce: 'n' }), /nonce/],
    ['another issuer', asked => hostile.signed({ ...decent(asked), iss: 'https://accounts.example' }), /iss/],
    ['another audience', asked => hostile.signed({ ...decent(asked), aud: 'other' }), /aud/],
    ['many audiences', asked => hostile.signed({ ...decent(asked), aud: ['client', 'other'] }), /aud/],
    ['no subject', asked => hostile.signed({ ...decent(asked), sub: undefined }), /sub/],
    ['a subject that is no text', asked => hostile.signed({ ...decent(asked), sub: { $ne: 1 } }), /sub/],
    ['no expiry', asked => hostile.signed({ ...decent(asked), exp: undefined }), /exp/],
    ['its time past', asked => hostile.signed({ ...decent(asked), exp: asked.nowS - 301 }), /past its time/],
    [
      'a making long ago',
      asked => hostile.signed({ ...decent(asked), iat: asked.nowS - 360 }),
      /min in the past/,
    ],
    [
      'a making to come',
      asked => hostile.signed({ ...decent(asked), iat: asked.nowS + 360 }),
      /min in the future/,
    ],
    [
      'a part missing',
      asked => hostile.signed(decent(asked)).split('.').slice(0, 2).join('.'),
      /Invalid JWT/,
    ],
    ['nothing readable', () => 'a.b.c', /cannot be read|rules/],
  ];
  it.each(lies)('whose ID token has %s is not believed', async (_what, token, fault) => {
    const result = await afterSignIn(asked => answer(token(asked)));
    expect(result).toMatchObject({ state: 'failed', fault: expect.stringMatching(fault) });
    expect(result.claims).toBeUndefined();
  });

  it.each([-240, 240])('whose clock is %i s off is believed', async driftS => {
    const result = await afterSignIn(({ nonce, nowS }) =>
      answer(hostile.signed(decent({ nonce, nowS: nowS + driftS }))),
    );
    expect(result.state).toBe('done');
  });

  it.each([
    ['no ID token', () => ({ access_token: 'a', token_type: 'bearer' })],
    ['no JSON', () => '<html>'],
    ['a list', () => '[]'],
    ['more than is read', () => ({ more: 'x'.repeat(300_000) })],
  ])('that answers a code with %s is not believed', async (_what, tokens) => {
    expect(await afterSignIn(tokens)).toMatchObject({ state: 'failed', fault: expect.any(String) });
  });

  it('is shown each code once, however often the browser brings it', async () => {
    const { signInUrl } = await start(owner, id);
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    const isToken = (asked: string) => asked.endsWith('/token');
    const before = hostile.asked.filter(isToken).length;
    await Promise.all(Array.from({ length: 10 }, () => comeBack(callback({ state, code: 'c' }))));
    await comeBack(callback({ state, code: 'c' }));
    expect(hostile.asked.filter(isToken).length).toBe(before + 1);
  });

  it('that names another issuer in its answer is not believed', async () => {
    const tokens = (asked: Asked) => answer(hostile.signed(decent(asked)));
    const result = await afterSignIn(tokens, { iss: 'https://accounts.example' });
    expect(result).toMatchObject({ state: 'failed', fault: expect.stringMatching(/iss/) });
  });

  it.each([
    ['its token endpoint', { token_endpoint: 'http://10.0.0.7/token' }],
    ['its keys', { jwks_uri: 'http://169.254.169.254/keys' }],
    ['its userinfo', { userinfo_endpoint: 'http://[::1]/me' }],
  ])('that moves %s inside between two looks is refused at use', async (_what, moved) => {
    const { testId, signInUrl } = await start(owner, id);
    const { searchParams } = new URL(signInUrl);
    const nowS = Math.floor(world.now().getTime() / 1000);
    const token = hostile.signed(decent({ nonce: searchParams.get('nonce') ?? '', nowS }));
    hostile.tokens = () => answer(token);
    hostile.discovery = moved;
    await comeBack(callback({ state: searchParams.get('state') ?? '', code: 'c' }));
    hostile.discovery = {};
    expect(await outcome(testId, owner, id)).toMatchObject({
      state: 'failed',
      fault: expect.stringContaining('This address may not be called.'),
    });
  });

  it('that becomes unfit is refused at the next start', async () => {
    hostile.discovery = { issuer: 'https://accounts.example' };
    await failing(start(owner, id), 'ISSUER_MISMATCH');
    hostile.discovery = { authorization_endpoint: 'javascript:alert(1)' };
    await failing(start(owner, id), 'ISSUER_UNFIT');
    hostile.discovery = {};
  });

  it('that says a great deal about a person is cut short, and breaks nothing', async () => {
    const result = await afterSignIn(asked =>
      answer(hostile.signed({ ...decent(asked), note: 'x'.repeat(50_000), nul: 'a\0b', half: '\ud800' })),
    );
    expect(result).toMatchObject({ state: 'done', claims: { sub: 'u-1', nul: 'a\uFFFDb', half: '\uFFFD' } });
    expect(JSON.stringify(result).length).toBeLessThan(5000);
  });

  it('gets no request at all once its method points elsewhere', async () => {
    const other = await aMethod({ issuer: hostile.issuer });
    const { signInUrl } = await start(owner, other);
    const params = { projectId: project.id, methodId: other };
    const body = { config: { issuer: provider.issuer, clientSecret: 'another' } };
    await owner.client.call(editUserAuthMethod, { params, body });
    const before = hostile.asked.length;
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    await comeBack(callback({ state, code: 'c' }));
    expect(hostile.asked.length).toBe(before);
  });
});
