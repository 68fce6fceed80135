import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  activateAuth2F,
  editDeveloper,
  logIn,
  logInWithCode,
  readDeveloper,
  resetPassword,
  signUp,
  startPasswordReset,
  startVerification,
  verifyAuth2F,
} from '#contract/account.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { anAuthenticator, codeOf, firstStep } from '#test/secondFactor.ts';
import { theWorld, unique } from '#test/world.ts';

const world = theWorld();

const newPassword = 'another four words';
async function askFor(email: string): Promise<string> {
  await world.visitor().client.call(startPasswordReset, { body: { orgId: 'default', email } });
  return (await world.mailsTo(email))[0]?.token ?? '';
}
const reset = (token: string, password = newPassword) =>
  world.visitor().client.call(resetPassword, { body: { token, newPassword: password } });
const enter = (email: string, password: string) =>
  world.visitor().client.call(logIn, { body: { email, password, orgId: 'default' } });

describe('a mailbox cannot be flooded with e-mails', () => {
  const email = () => `${unique('victim')}@example.com`;
  const newcomer = (to: string) => ({ email: to, orgId: 'default', name: 'Grace', password: newPassword });

  it.each<[string, (to: string) => Promise<() => Promise<unknown>>]>([
    [
      'for a new password',
      async to => {
        await world.platform.db.run(sql`
          update developers set email = ${to} where id = ${(await world.aDeveloper()).developer.id}`);
        return () =>
          world.visitor().client.call(startPasswordReset, { body: { orgId: 'default', email: to } });
      },
    ],
    [
      'for another link',
      async to => {
        await world.visitor().client.call(signUp, { body: newcomer(to) });
        return () =>
          world.visitor().client.call(startVerification, { body: { orgId: 'default', email: to } });
      },
    ],
    ['by signing up', async to => () => world.visitor().client.call(signUp, { body: newcomer(to) })],
    [
      'by changing to it',
      async to => {
        const { client, developer } = await world.aDeveloper();
        const params = { developerId: developer.id };
        return async () => {
          await client.call(editDeveloper, { params, body: { email: to } }).catch(error => {
            expect(error.reason).toBe('TOO_MANY_REQUESTS');
          });
        };
      },
    ],
  ])('%s', async (_what, prepared) => {
    const to = email();
    const ask = await prepared(to);
    for (let i = 0; i < 12; i++) await ask();
    const sent = (await world.mailsTo(to)).length;
    expect(sent).toBeGreaterThan(3);
    expect(sent).toBeLessThan(9);
  });
});

describe('asking for a new password', () => {
  it('answers the same for a verified, an unverified, a suspended and an unknown e-mail', async () => {
    const [verified, suspended] = [await world.aDeveloper(), await world.aDeveloper()];
    await world.platform.db.run(
      sql`update developers set suspended = true where id = ${suspended.developer.id}`,
    );
    const [unverified, unknown] = [`${unique('new')}@example.com`, `${unique('nobody')}@example.com`];
    const given = { email: unverified, orgId: 'default', name: 'Grace', password: newPassword };
    await world.visitor().client.call(signUp, { body: given });
    const answers = [];
    for (const email of [verified.email, unverified, suspended.email, unknown]) {
      const url = `${world.url}/api/auth/passwordReset/start`;
      const answer = await rawCall(world.visitor().fetch, ['POST', url], { orgId: 'default', email });
      answers.push([answer.status, answer.text, [...answer.headers.keys()].toSorted()]);
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const subjects = async (email: string) => (await world.mailsTo(email))[0]?.subject;
    expect(await subjects(verified.email)).toBe('Reset your password');
    expect(await subjects(suspended.email)).toBe('Verify your e-mail address');
    expect(await subjects(unknown)).toBeUndefined();
  });

  it('sends a link to the configured address, regardless of the Host header', async () => {
    const { email } = await world.aDeveloper();
    const { port } = new URL(world.url);
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-console-guard': '1' };
    const status = await new Promise((resolve, reject) => {
      const path = '/api/auth/passwordReset/start';
      const options = {
        port,
        path,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
      };
      request({ host: '127.0.0.1', ...options }, answer => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end(JSON.stringify({ orgId: 'default', email }));
    });
    expect(status).toBe(204);
    const [mail] = await world.mailsTo(email);
    expect(mail?.text).toContain(`${world.url}/reset_password?token=`);
    expect(mail?.text).not.toContain('evil');
  });
});

describe('a reset link', () => {
  it('sets the password, ends every session and notifies the owner', async () => {
    const owner = await world.aDeveloper();
    await reset(await askFor(owner.email));
    await failing(
      owner.client.call(readDeveloper, { params: { developerId: owner.developer.id } }),
      'NO_LOGIN',
    );
    await failing(enter(owner.email, owner.password), 'LOGIN_FAILED');
    expect(await enter(owner.email, newPassword)).toHaveProperty('developer');
    expect((await world.mailsTo(owner.email)).map(({ subject }) => subject)).toContain(
      'Your password was changed',
    );
  });

  it('works once, even if fifty use it at once', async () => {
    const { email } = await world.aDeveloper();
    const token = await askFor(email);
    const { answers, reasons } = await atOnce(50, n => reset(token, `${newPassword} ${n}`));
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['INVALID_LINK']));
    await failing(reset(token), 'INVALID_LINK');
  });

  it('works for an hour, unless a newer one replaces it', async () => {
    const { email } = await world.aDeveloper();
    const first = await askFor(email);
    const token = await askFor(email);
    await failing(reset(first), 'INVALID_LINK');
    world.pass(hourMs - minuteMs);
    await failing(reset(token, 'password123'), 'WEAK_PASSWORD');
    world.pass(minuteMs);
    await failing(reset(token), 'INVALID_LINK');
  });

  it('that is made up is refused before its password is checked', async () => {
    await failing(reset('x'.repeat(43), 'password123'), 'INVALID_LINK');
  });

  it('stops working when the e-mail it was sent to has changed', async () => {
    const { email, developer } = await world.aDeveloper();
    const token = await askFor(email);
    const elsewhere = `${unique('moved')}@example.com`;
    await world.platform.db.run(sql`update developers set email = ${elsewhere} where id = ${developer.id}`);
    await failing(reset(token), 'INVALID_LINK');
  });

  it('does not work for a suspended account', async () => {
    const { email, developer } = await world.aDeveloper();
    const token = await askFor(email);
    await world.platform.db.run(sql`update developers set suspended = true where id = ${developer.id}`);
    await failing(reset(token), 'INVALID_LINK');
  });

  it('leaves two-factor on, and invalidates second steps that began with the old password', async () => {
    const owner = await world.aDeveloper();
    const { code } = await anAuthenticator(world, owner);
    const token = await firstStep(world.visitor(), owner);
    await reset(await askFor(owner.email));
    const body = { token, code: code() };
    await failing(world.visitor().client.call(logInWithCode, { body }), 'AUTH2F_EXPIRED');
    expect(await enter(owner.email, newPassword)).toHaveProperty('auth2FToken');
  });

  it('gives an unverified account to the reader of its mailbox, and turns off two-factor', async () => {
    const squatter = {
      email: `${unique('mine')}@example.com`,
      password: 'four words of nonsense',
      orgId: 'default',
    };
    const { client } = world.visitor();
    await client.call(signUp, { body: { ...squatter, name: 'Squatter' } });
    await client.call(logIn, { body: squatter });
    const { auth2FSecret } = await client.call(activateAuth2F, { body: { password: squatter.password } });
    const { recoveryCodes } = await client.call(verifyAuth2F, {
      body: { code: codeOf(world, auth2FSecret) },
    });
    expect(recoveryCodes).toHaveLength(10);
    await reset(await askFor(squatter.email));
    const answer = await enter(squatter.email, newPassword);
    expect(answer).toMatchObject({ developer: { verified: true, auth2FActivated: false } });
  });
});
