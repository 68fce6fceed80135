import { beforeAll, describe, expect, it, vi } from 'vitest';
import { logIn, logOut, readDeveloper, signUp } from '#contract/account.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { theWorld, unique } from '#test/world.ts';

const hashing = vi.hoisted(() => ({ verified: 0 }));
vi.mock('@node-rs/argon2', async original => {
  const real = await original<typeof import('@node-rs/argon2')>();
  const verify: typeof real.verify = (...given) => {
    hashing.verified += 1;
    return real.verify(...given);
  };
  return { ...real, verify };
});

const world = theWorld();
beforeAll(async () => {
  await world.platform.db.run(sql`
    insert into organizations (id, name, require_verification) values ('other', 'Other', false), ('strict', 'Strict', true)`);
});

const enter = (email: string, password: string, orgId = 'default') =>
  world.visitor().client.call(logIn, { body: { email, password, orgId } });
const url = () => `${world.url}/api/auth/password`;

describe('a login', () => {
  it('returns the developer and how long the session lasts, but not its token', async () => {
    const { email, password } = await world.aDeveloper();
    const { fetch, cookies } = world.visitor();
    const answer = await rawCall(fetch, ['POST', url()], { email, password, orgId: 'default' });
    const token = cookies.get('mooring') ?? '';
    expect(token).toHaveLength(43);
    expect(answer.text).not.toContain(token);
    expect(JSON.parse(answer.text)).toMatchObject({ developer: { email }, session: { ttl: 12 * 3600 } });
  });

  it('accepts the e-mail in any spelling', async () => {
    const { email, password } = await world.aDeveloper();
    expect(await enter(` ${email.toUpperCase()} `, password)).toHaveProperty('developer.email', email);
  });

  it('accepts a password in its composed and its decomposed form', async () => {
    const given = { email: `${unique('nfkc')}@example.com`, orgId: 'default' };
    const body = { ...given, name: 'Zoë', password: 'crème brûlée für alle' };
    await world.visitor().client.call(signUp, { body });
    expect(await enter(given.email, body.password.normalize('NFD'))).toHaveProperty('developer');
    expect(await enter(given.email, body.password.normalize('NFC'))).toHaveProperty('developer');
  });

  it('distinguishes passwords by surrounding spaces, case and last character', async () => {
    const { email, password } = await world.aDeveloper();
    for (const wrong of [` ${password}`, `${password} `, password.toUpperCase(), password.slice(0, -1)]) {
      await failing(enter(email, wrong), 'LOGIN_FAILED');
    }
  });

  it('is refused in another organization', async () => {
    const { email, password } = await world.aDeveloper();
    await failing(enter(email, password, 'other'), 'LOGIN_ORG_MISMATCH');
    await failing(enter(email, password, 'nowhere'), 'LOGIN_ORG_MISMATCH');
    await failing(enter(email, 'something else', 'other'), 'LOGIN_FAILED');
  });

  it('at other organizations allows only the guesses of one organization in total', async () => {
    const { email, password } = await world.aDeveloper();
    for (let i = 0; i < 6; i++) await failing(enter(email, `guess ${i}`, `nowhere ${i}`), 'LOGIN_FAILED');
    await failing(enter(email, password, 'other'), 'LOGIN_FAILED');
    // The other tests of this file use the same address.
    world.pass(2 * hourMs);
  });

  it('of an unverified account is refused if required, and only the right password learns why', async () => {
    const body = {
      email: `${unique('new')}@example.com`,
      orgId: 'strict',
      password: 'four words of nonsense',
    };
    await world.visitor().client.call(signUp, { body: { ...body, name: 'Grace' } });
    await failing(enter(body.email, body.password, 'strict'), 'UNVERIFIED_ACCOUNT');
    await failing(enter(body.email, 'something else', 'strict'), 'LOGIN_FAILED');
  });

  it('with the right password never counts as a guess, even if it is refused as unverified', async () => {
    const body = {
      email: `${unique('new')}@example.com`,
      orgId: 'strict',
      password: 'four words of nonsense',
    };
    await world.visitor().client.call(signUp, { body: { ...body, name: 'Grace' } });
    for (let i = 0; i < 8; i++)
      await failing(enter(body.email, body.password, 'strict'), 'UNVERIFIED_ACCOUNT');
  });

  it('ends the previous session of the browser', async () => {
    const { client, fetch, cookies, email, password, developer } = await world.aDeveloper();
    const before = new Map(cookies);
    await client.call(logIn, { body: { email, password, orgId: 'default' } });
    expect(cookies.get('mooring')).not.toBe(before.get('mooring'));
    const address = `${world.url}/api/developers/${developer.id}`;
    const cookie = `mooring=${before.get('mooring')}`;
    expect((await rawCall(fetch, ['GET', address], undefined, { cookie })).problem.reason).toBe('NO_LOGIN');
  });
});

describe('a failed login', () => {
  it('has the same body, status and headers for an unknown and a known e-mail', async () => {
    const { email } = await world.aDeveloper();
    const password = 'wrong horse battery';
    const answers = [];
    for (const tried of [email, `${unique('nobody')}@example.com`]) {
      const given = { email: tried, password, orgId: 'default' };
      const { status, text, headers } = await rawCall(world.visitor().fetch, ['POST', url()], given);
      answers.push([status, text, [...headers.keys()].toSorted(), headers.getSetCookie()]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(401);
  });

  it('computes one hash for an unknown e-mail, as for a known one', async () => {
    const { email } = await world.aDeveloper();
    for (const tried of [email, `${unique('nobody')}@example.com`, 'not even an address']) {
      const before = hashing.verified;
      await failing(enter(tried, 'wrong horse battery'), 'LOGIN_FAILED');
      expect(hashing.verified - before, tried).toBe(1);
    }
  });
});

it('a log-out ends the session on the server and removes the cookie', async () => {
  const { client, cookies, fetch, developer } = await world.aDeveloper();
  const cookie = `mooring=${cookies.get('mooring')}`;
  await client.call(logOut);
  expect(cookies.has('mooring')).toBe(false);
  const params = { developerId: developer.id };
  await failing(client.call(readDeveloper, { params }), 'NO_LOGIN');
  const stolen = await rawCall(fetch, ['GET', `${world.url}/api/developers/${developer.id}`], undefined, {
    cookie,
  });
  expect(stolen.problem.reason).toBe('NO_LOGIN');
});
