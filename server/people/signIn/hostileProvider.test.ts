import { expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { type Attack, hostileSignIns, tokenAnswer } from '#test/hostileSignIns.ts';
import { type Asked, decentClaims, lies } from '#test/hostileTokens.ts';
import { finish } from '#test/methodSignIns.ts';

const { at, given, comeBack, faultsOf } = hostileSignIns();

const users = async () =>
  (await at.world.platform.db.many(sql`select id from users where project_id = ${at.project.id}`)).length;

it('a provider that behaves correctly signs its user in', async () => {
  const { begun, code } = await comeBack();
  const { user } = await finish(given.phone, given.methodId, { ...begun, code: code ?? '' });
  expect(user.id).toMatch(/^usr_/);
});

it.each(lies)('an ID token with %s is refused, and the log has the reason', async (_what, token, fault) => {
  const before = await users();
  const faults = await faultsOf(async () => {
    expect((await comeBack({ tokens: asked => token(given.hostile, asked) })).code).toBeNull();
  });
  expect(faults).toEqual([expect.stringMatching(fault)]);
  expect(await users()).toBe(before);
});

const claiming = (claims: object) => (asked: Asked) =>
  given.hostile.signed({ ...decentClaims(given.hostile, asked), ...claims });

/** Attacks by a provider, besides false ID tokens. */
const attacks: Attack[] = [
  [
    'the ID token of another provider',
    async () =>
      (await comeBack({ tokens: asked => given.other.signed(decentClaims(given.other, asked)) })).code,
    /iss/,
  ],
  [
    'given.other keys than it signed with',
    async () => {
      const { keys } = given.hostile;
      const { code } = await comeBack({
        meanwhile: () => Object.assign(given.hostile, { keys: [given.hostile.otherKey] }),
      });
      given.hostile.keys = keys;
      return code;
    },
    /signature/,
  ],
  [
    'no keys',
    async () => {
      const { keys } = given.hostile;
      const { code } = await comeBack({ meanwhile: () => Object.assign(given.hostile, { keys: [] }) });
      given.hostile.keys = keys;
      return code;
    },
    /not in the provider’s key set/,
  ],
  [
    'no ID token',
    async () => (await comeBack({ tokens: () => ({ access_token: 'a', token_type: 'bearer' }) })).code,
    /id_token|ID token/,
  ],
  [
    'more than is read',
    async () => (await comeBack({ tokens: () => tokenAnswer('x'.repeat(300_000)) })).code,
    /larger|more than/,
  ],
  [
    'a redirect to who collects codes',
    async () =>
      (
        await comeBack({
          meanwhile: () => Object.assign(given.hostile, { redirectsTo: `${given.other.issuer}/token` }),
        })
      ).code,
    /status 307|unexpected status/,
  ],
  [
    'another issuer since the sign-in began',
    async () =>
      (
        await comeBack({
          meanwhile: () => Object.assign(given.hostile, { discovery: { issuer: given.other.issuer } }),
        })
      ).code,
    /issuer/,
  ],
  [
    'a token endpoint in the network of the server',
    async () => {
      const discovery = { token_endpoint: 'http://169.254.169.254/token' };
      return (await comeBack({ meanwhile: () => Object.assign(given.hostile, { discovery }) })).code;
    },
    /cannot be called/,
  ],
  [
    'what it says of another subject',
    async () => {
      const discovery = { userinfo_endpoint: `${given.hostile.issuer}/me` };
      given.hostile.userinfo = () => ({ sub: 'u-0', email: 'ceo@example.com', email_verified: true });
      return (await comeBack({ meanwhile: () => Object.assign(given.hostile, { discovery }) })).code;
    },
    /sub/,
  ],
  [
    'an empty subject',
    async () => {
      const discovery = { userinfo_endpoint: `${given.hostile.issuer}/me` };
      const meanwhile = () => Object.assign(given.hostile, { discovery });
      return (await comeBack({ meanwhile, tokens: claiming({ sub: '' }) })).code;
    },
    /sub is empty/,
  ],
  [
    'a subject too long to be told from another',
    async () => (await comeBack({ tokens: claiming({ sub: 's'.repeat(300) }) })).code,
    /did not say who/,
  ],
  [
    'a subject with characters that are not kept',
    async () => (await comeBack({ tokens: claiming({ sub: 'u-1\0' }) })).code,
    /did not say who/,
  ],
];

it.each(attacks)(
  'a provider with %s is refused, and the log has the reason',
  async (_what, attack, fault) => {
    const faults = await faultsOf(async () => {
      expect(await attack()).toBeNull();
    });
    expect(faults).toEqual([expect.stringMatching(fault)]);
  },
);

it('a provider that redirects its token endpoint does not send the code elsewhere', async () => {
  await comeBack({
    meanwhile: () => Object.assign(given.hostile, { redirectsTo: `${given.other.issuer}/token` }),
  });
  expect(given.other.asked.filter(asked => asked.endsWith('/token'))).toEqual([]);
});

it('an address that the provider does not call verified is not used', async () => {
  const { begun, code } = await comeBack({
    tokens: claiming({ sub: 'u-2', email: 'ceo@example.com', email_verified: 'true' }),
  });
  const { user } = await finish(given.phone, given.methodId, { ...begun, code: code ?? '' });
  expect(user.email).toBeUndefined();
});
