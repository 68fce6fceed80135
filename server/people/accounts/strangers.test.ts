import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proveMe } from '#contract/appApi/me.ts';
import {
  register,
  resetUserPassword,
  signIn,
  startUserPasswordReset,
  startVerification,
  verify,
} from '#contract/appApi/session.ts';
import { CallFailed, type Client, createClient } from '#contract/client.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, appUrl, type CalledApp } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { unique } from '#test/world.ts';

/** Nobody can keep a user out by guessing, and no sprayer its neighbors. Figures are those of docs/security.md. */
const at = aProjectWorld({ TRUST_PROXY: '1', RATE_LIMITS: 'on' });
let app: CalledApp;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
});
beforeEach(async () => {
  // Earlier tests may have used up the rate of the project.
  at.world.pass(10 * minuteMs);
  await at.world.platform.db.run(sql`delete from login_failures`);
});

const password = 'a lantern at low tide 7';
const aUser = () => anEndUser(at.world, app, { password });
const from = (address: string): Client =>
  createClient({
    baseUrl: appUrl(at.world, app),
    fetch: at.world.visitor({ 'x-forwarded-for': address }).fetch,
  });
let addresses = 0;
function anAddress(): string {
  addresses += 1;
  return `10.1.${addresses >> 8}.${addresses & 255}`;
}
const enter = (client: Client, email: string, more: { password?: string; deviceToken?: string } = {}) =>
  client.call(signIn, { body: { email, password, ...more } });
const codeTo = async (email: string) =>
  /code (\d{6})/.exec((await at.world.mailsTo(email))[0]?.text ?? '')?.[1] ?? '';
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: CallFailed) => error.reason,
  );

/** Twelve strangers guess from twelve addresses, and go on for an hour, each time as soon as one of them may. */
async function attack(guess: (client: Client) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < 12; i++) await reasonOf(guess(from(anAddress())));
  for (let i = 0; i < 4; i++) {
    at.world.pass(15 * minuteMs);
    await reasonOf(guess(from(anAddress())));
  }
}

describe('strangers who guess passwords', () => {
  const guessAt = (email: string) => (client: Client) => enter(client, email, { password: 'wrong' });

  it('do not keep the user out of a device that had a session, wherever it is', async () => {
    const { email, tokens } = await aUser();
    const { deviceToken } = await enter(from(anAddress()), email);
    await attack(guessAt(email));
    for (const one of [deviceToken, tokens.deviceToken])
      expect(await enter(from(anAddress()), email, { deviceToken: one })).toHaveProperty('accessToken');
    await failing(enter(from(anAddress()), email), 'TOO_MANY_REQUESTS');
  });

  it('do not keep the user out of a network that a session was used from', async () => {
    const { email } = await aUser();
    const home = anAddress();
    await enter(from(home), email);
    await attack(guessAt(email));
    expect(await enter(from(home), email)).toHaveProperty('accessToken');
  });

  it('do not keep a signed-in user from confirming the password', async () => {
    const { email, client } = await aUser();
    for (let i = 0; i < 12; i++) await reasonOf(guessAt(email)(from(anAddress())));
    await client.call(proveMe, { body: { password } });
  });

  it('cannot use the device token of another user, or one that was changed', async () => {
    const { email, tokens } = await aUser();
    const other = await aUser();
    await attack(guessAt(email));
    const [session = ''] = tokens.deviceToken.split('.');
    for (const deviceToken of [other.tokens.deviceToken, `${session}.AAAA`, session, '.', ''])
      await failing(enter(from(anAddress()), email, { deviceToken }), 'TOO_MANY_REQUESTS');
  });

  it('with a stolen device token get as few guesses as everybody else', async () => {
    const { email, tokens } = await aUser();
    const { deviceToken } = tokens;
    for (let i = 0; i < 5; i++)
      await failing(enter(from(anAddress()), email, { deviceToken, password: 'wrong' }), 'LOGIN_FAILED');
    await failing(enter(from(anAddress()), email, { deviceToken }), 'TOO_MANY_REQUESTS');
  });
});

describe('strangers who guess codes', () => {
  const wrong = (email: string) => (client: Client) =>
    client.call(verify, { body: { email, code: '000000' } });

  it('do not use up the tries of the person who registers', async () => {
    const [email, home] = [`${unique('new')}@example.com`, anAddress()];
    await from(home).call(register, { body: { email, password } });
    for (let i = 0; i < 12; i++) await reasonOf(wrong(email)(from(anAddress())));
    const body = { email, code: await codeTo(email) };
    expect(await from(home).call(verify, { body })).toEqual({ email });
  });

  it('do not use them up by asking for another e-mail either', async () => {
    const [email, home] = [`${unique('new')}@example.com`, anAddress()];
    await from(home).call(register, { body: { email, password } });
    await from(anAddress()).call(startVerification, { body: { email } });
    for (let i = 0; i < 12; i++) await reasonOf(wrong(email)(from(anAddress())));
    const body = { email, code: await codeTo(email) };
    expect(await from(home).call(verify, { body })).toEqual({ email });
  });

  it('do not use up the tries of a user who sets a new password', async () => {
    const { email } = await aUser();
    const home = anAddress();
    await from(home).call(startUserPasswordReset, { body: { email } });
    await from(anAddress()).call(startUserPasswordReset, { body: { email } });
    const guess = { email, code: '000000', newPassword: 'another lamp at high tide 8' };
    for (let i = 0; i < 12; i++) await reasonOf(from(anAddress()).call(resetUserPassword, { body: guess }));
    const body = { ...guess, code: await codeTo(email) };
    expect(await reasonOf(from(home).call(resetUserPassword, { body }))).toBe('done');
  });

  it('have five tries for each code, all of them together', async () => {
    const email = `${unique('new')}@example.com`;
    await from(anAddress()).call(register, { body: { email, password } });
    for (let i = 0; i < 5; i++) await failing(wrong(email)(from(anAddress())), 'CODE_WRONG');
    at.world.pass(10_000);
    const body = { email, code: await codeTo(email) };
    await failing(from(anAddress()).call(verify, { body }), 'CODE_WRONG');
  });
});

describe('a program that tries account after account, four a second', () => {
  it.each(['sign-ins', 'codes'])('delays the %s of its neighbors by at most five seconds', async kind => {
    const address = anAddress();
    const guess = () => {
      const email = `${unique('nobody')}@example.com`;
      const client = from(address);
      return kind === 'codes'
        ? client.call(verify, { body: { email, code: '000000' } })
        : enter(client, email, { password: 'wrong' });
    };
    const spray = async (seconds: number) => {
      for (let i = 0; i < seconds * 4; i++) {
        at.world.pass(250);
        await reasonOf(guess());
      }
    };
    await spray(20);
    for (let n = 0; n < 3; n++) {
      const { email, id } = await aUser();
      await at.world.platform.db.run(sql`update users set verified_at = null where id = ${id}`);
      if (kind === 'codes') await from(anAddress()).call(startVerification, { body: { email } });
      else await at.world.platform.db.run(sql`update users set verified_at = now() where id = ${id}`);
      const code = kind === 'codes' ? await codeTo(email) : '';
      const enterThere = () =>
        kind === 'codes'
          ? from(address).call(verify, { body: { email, code } })
          : enter(from(address), email);
      const refused = await enterThere().catch((error: CallFailed) => error);
      if (!(refused instanceof CallFailed)) continue;
      expect(refused.retryAfterS).toBeLessThanOrEqual(5);
      await spray(refused.retryAfterS ?? 0);
      expect(await reasonOf(enterThere())).toBe('done');
    }
  });
});
