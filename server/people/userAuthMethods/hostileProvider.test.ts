import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editUserAuthMethod, type UserAuthTest } from '#contract/userAuthMethod.ts';
import { failing } from '#test/failing.ts';
import { aHostileProvider, type HostileProvider } from '#test/hostileProvider.ts';
import { type Asked, decentClaims, lies } from '#test/hostileTokens.ts';
import { signIns } from '#test/signIns.ts';

const { at, aMethod, start, outcome, comeBack, callback, pageOf } = signIns();

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

  /** Completes a sign-in at the hostile provider, with these tokens. */
  async function afterSignIn(
    tokens: (asked: Asked) => object | string,
    more: Record<string, string> = {},
  ): Promise<UserAuthTest> {
    const { testId, signInUrl } = await start(id);
    const { searchParams } = new URL(signInUrl);
    const asked = {
      nonce: searchParams.get('nonce') ?? '',
      nowS: Math.floor(at.world.now().getTime() / 1000),
    };
    hostile.tokens = () => tokens(asked);
    const state = searchParams.get('state') ?? '';
    expect(await comeBack(callback(id, { state, code: 'c', ...more }))).toEqual([303, pageOf(id, testId)]);
    return outcome(id, testId);
  }

  const decent = (asked: Asked) => decentClaims(hostile, asked);
  const answer = (id_token: string) => ({ access_token: 'a', token_type: 'bearer', id_token });

  it('that behaves correctly is accepted', async () => {
    const result = await afterSignIn(asked => answer(hostile.signed(decent(asked))));
    expect(result).toMatchObject({ state: 'done', claims: { sub: 'u-1' } });
  });

  it.each(lies)('is refused if its ID token has %s', async (_what, token, fault) => {
    const result = await afterSignIn(asked => answer(token(hostile, asked)));
    expect(result).toMatchObject({ state: 'failed', fault: expect.stringMatching(fault) });
    expect(result.claims).toBeUndefined();
  });

  it.each([-240, 240])('is accepted although its clock is off by %i s', async driftS => {
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
  ])('is refused if it answers a code with %s', async (_what, tokens) => {
    expect(await afterSignIn(tokens)).toMatchObject({ state: 'failed', fault: expect.any(String) });
  });

  it('receives each code once, however often the browser brings it', async () => {
    const { signInUrl } = await start(id);
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    const isToken = (asked: string) => asked.endsWith('/token');
    const before = hostile.asked.filter(isToken).length;
    await Promise.all(Array.from({ length: 10 }, () => comeBack(callback(id, { state, code: 'c' }))));
    await comeBack(callback(id, { state, code: 'c' }));
    expect(hostile.asked.filter(isToken).length).toBe(before + 1);
  });

  it('is refused if it names another issuer in its answer', async () => {
    const tokens = (asked: Asked) => answer(hostile.signed(decent(asked)));
    const result = await afterSignIn(tokens, { iss: 'https://accounts.example' });
    expect(result).toMatchObject({ state: 'failed', fault: expect.stringMatching(/iss/) });
  });

  it.each([
    ['its token endpoint', { token_endpoint: 'http://10.0.0.7/token' }],
    ['its keys', { jwks_uri: 'http://169.254.169.254/keys' }],
    ['its userinfo', { userinfo_endpoint: 'http://[::1]/me' }],
  ])(
    'that moves %s to a private address between two reads is refused when it is used',
    async (_what, moved) => {
      const { testId, signInUrl } = await start(id);
      const { searchParams } = new URL(signInUrl);
      const nowS = Math.floor(at.world.now().getTime() / 1000);
      const token = hostile.signed(decent({ nonce: searchParams.get('nonce') ?? '', nowS }));
      hostile.tokens = () => answer(token);
      hostile.discovery = moved;
      await comeBack(callback(id, { state: searchParams.get('state') ?? '', code: 'c' }));
      hostile.discovery = {};
      expect(await outcome(id, testId)).toMatchObject({
        state: 'failed',
        fault: expect.stringContaining('This address cannot be called.'),
      });
    },
  );

  it('that becomes invalid is refused at the next start', async () => {
    hostile.discovery = { issuer: 'https://accounts.example' };
    await failing(start(id), 'ISSUER_MISMATCH');
    hostile.discovery = { authorization_endpoint: 'javascript:alert(1)' };
    await failing(start(id), 'ISSUER_UNFIT');
    hostile.discovery = {};
  });

  it('with very large claims gets them shortened', async () => {
    const result = await afterSignIn(asked =>
      answer(hostile.signed({ ...decent(asked), note: 'x'.repeat(50_000), nul: 'a\0b', half: '\ud800' })),
    );
    expect(result).toMatchObject({ state: 'done', claims: { sub: 'u-1', nul: 'a\uFFFDb', half: '\uFFFD' } });
    expect(JSON.stringify(result).length).toBeLessThan(5000);
  });

  it('gets no requests once its method points elsewhere', async () => {
    const other = await aMethod({ issuer: hostile.issuer });
    const { signInUrl } = await start(other);
    const params = { projectId: at.project.id, methodId: other };
    const body = { config: { issuer: at.provider.issuer, clientSecret: 'another' } };
    await at.owner.client.call(editUserAuthMethod, { params, body });
    const before = hostile.asked.length;
    const state = new URL(signInUrl).searchParams.get('state') ?? '';
    await comeBack(callback(other, { state, code: 'c' }));
    expect(hostile.asked.length).toBe(before);
  });
});
