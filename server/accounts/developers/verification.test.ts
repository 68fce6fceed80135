import { describe, expect, it } from 'vitest';
import { logIn, readDeveloper, signUp, startVerification, verify } from '#contract/account.ts';
import { createProject } from '#contract/project.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { theWorld, unique } from '#test/world.ts';
import { makeToken, type Purpose } from './tokens.ts';

const world = theWorld();

/** Signed up and signed in; the link is not opened yet. */
async function aNewcomer() {
  const given = {
    email: `${unique('new')}@example.com`,
    password: 'four words of nonsense',
    orgId: 'default',
  };
  const { client } = world.visitor();
  await client.call(signUp, { body: { ...given, name: 'Grace Hopper' } });
  const answer = await client.call(logIn, { body: given });
  if (!('developer' in answer)) throw new Error('No second factor was set up.');
  const [mail] = await world.mailsTo(given.email);
  return { client, ...given, developerId: answer.developer.id, token: mail?.token ?? '' };
}
const open = (token: string) => world.visitor().client.call(verify, { body: { token } });

describe('a verification link', () => {
  it('verifies its address, after which projects can be created', async () => {
    const { client, email, token, developerId } = await aNewcomer();
    await failing(client.call(createProject, { body: { name: 'Early' } }), 'UNVERIFIED_ACCOUNT');
    expect(await open(token)).toEqual({ email });
    expect(await client.call(readDeveloper, { params: { developerId } })).toHaveProperty('verified', true);
    expect(await client.call(createProject, { body: { name: 'In time' } })).toHaveProperty('id');
  });

  it('opened a second time says that the address is already verified', async () => {
    const { token } = await aNewcomer();
    await open(token);
    await failing(open(token), 'ALREADY_VERIFIED');
  });

  it('opened fifty times at once works exactly once', async () => {
    const { token } = await aNewcomer();
    const { answers, reasons } = await atOnce(50, () => open(token));
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['ALREADY_VERIFIED']));
  });

  it('works for one day', async () => {
    const [early, late] = [await aNewcomer(), await aNewcomer()];
    world.pass(dayMs - minuteMs);
    await open(early.token);
    world.pass(minuteMs);
    await failing(open(late.token), 'INVALID_LINK');
  });

  it.each<Purpose>(['activation', 'reset', 'sudo', 'auth2F'])('refuses a token for %s', async purpose => {
    const { developerId, email } = await aNewcomer();
    const given = { orgId: 'default', developerId, data: { email }, now: world.now() };
    await failing(open(await makeToken(world.platform.db, purpose, given)), 'INVALID_LINK');
  });

  it.each([
    ['made up', 'x'.repeat(43)],
    ['of 512 signs', 'x'.repeat(512)],
    ['with quotes', "' or 1=1 --"],
  ])('%s is refused', async (_, token) => {
    await failing(open(token), 'INVALID_LINK');
  });
});

describe('asking for the link again', () => {
  const askAgain = (email: string) =>
    world.visitor().client.call(startVerification, { body: { orgId: 'default', email } });

  it('sends a new one, and the previous one stops working', async () => {
    const { email, token } = await aNewcomer();
    await askAgain(email.toUpperCase());
    const [newest, ...earlier] = await world.mailsTo(email);
    expect(earlier).toHaveLength(1);
    await failing(open(token), 'INVALID_LINK');
    expect(await open(newest?.token ?? '')).toEqual({ email });
  });

  it('works after the first link has expired', async () => {
    const { email } = await aNewcomer();
    world.pass(dayMs + hourMs);
    await askAgain(email);
    const [newest] = await world.mailsTo(email);
    expect(await open(newest?.token ?? '')).toEqual({ email });
  });

  it('answers the same for an unverified, a verified and an unknown address, and e-mails only the first', async () => {
    const [newcomer, verified] = [await aNewcomer(), await world.aDeveloper()];
    const nobody = `${unique('nobody')}@example.com`;
    const before = (await world.mailsTo(verified.email)).length;
    const answers = [];
    for (const email of [newcomer.email, verified.email, nobody]) {
      const url = `${world.url}/api/auth/verification/start`;
      const answer = await rawCall(world.visitor().fetch, ['POST', url], { orgId: 'default', email });
      answers.push([answer.status, answer.text, [...answer.headers.keys()]]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await world.mailsTo(verified.email)).toHaveLength(before);
    expect(await world.mailsTo(nobody)).toEqual([]);
  });
});

describe('the link of a sign-up', () => {
  async function aSignUp() {
    const browser = world.visitor();
    const email = `${unique('fresh')}@example.com`;
    const account = { orgId: 'default', name: 'Grace', email, password: 'four words of nonsense' };
    await browser.client.call(signUp, { body: account });
    const [mail] = await world.mailsTo(email);
    return { browser, account, body: { token: mail?.token ?? '' } };
  }

  it('signs in the browser that signed up', async () => {
    const { browser, account, body } = await aSignUp();
    const { developer } = await browser.client.call(verify, { body });
    expect(developer).toMatchObject({ email: account.email, verified: true });
    const params = { developerId: developer?.id ?? '' };
    expect(await browser.client.call(readDeveloper, { params })).toHaveProperty('email', account.email);
  });

  it('signs in neither another browser nor one that signed up with the same address again', async () => {
    const { account, body } = await aSignUp();
    const other = world.visitor();
    await other.client.call(signUp, { body: account });
    expect(await other.client.call(verify, { body })).toEqual({ email: account.email });
    expect(other.cookies.has('mooring')).toBe(false);
  });
});
