import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeMyEmail, editMe, proveMe, readMe } from '#contract/appApi/me.ts';
import {
  changeUserPassword,
  register,
  resetUserPassword,
  signIn,
  startUserPasswordReset,
  verify,
} from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { readLogEntries } from '#contract/log.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anApp } from '#test/apps.ts';
import { anEndUser, appClient, type CalledApp } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { untilWaiting } from '#test/untilWaiting.ts';
import { unique } from '#test/world.ts';

const at = aProjectWorld();
let app: CalledApp;
let phone: Client;
beforeAll(async () => {
  app = await anApp(at.owner, at.projectId);
  phone = appClient(at.world, app);
});
// All tests guess from the same address.
beforeEach(() => at.world.platform.db.run(sql`delete from login_failures`));

const password = 'a lantern at low tide 7';
const newPassword = 'another lamp at high tide 8';
const aUser = () => anEndUser(at.world, app, { password });
const enter = (email: string, given = password) => phone.call(signIn, { body: { email, password: given } });
const subjects = async (email: string) => (await at.world.mailsTo(email)).map(({ subject }) => subject);
const codeIn = (text: string | undefined) => /code (\d{6})/.exec(text ?? '')?.[1] ?? '';
const edit = (body: BodyOf<typeof editProject>) =>
  at.owner.client.call(editProject, { params: { projectId: at.projectId }, body });

describe('signing in', () => {
  it('does not reveal which addresses exist, and reveals a suspension only with the right password', async () => {
    const { email, id } = await aUser();
    await at.world.platform.db.run(sql`update users set suspended = true where id = ${id}`);
    const unknown = await failing(enter(`${unique('nobody')}@example.com`), 'LOGIN_FAILED');
    const wrong = await failing(enter(email, 'wrong'), 'LOGIN_FAILED');
    expect([wrong.status, wrong.message]).toEqual([unknown.status, unknown.message]);
    await failing(enter(email), 'USER_SUSPENDED');
  });

  it('is delayed for an account with failed attempts, whether or not it exists', async () => {
    const { email } = await aUser();
    for (const one of [email, `${unique('nobody')}@example.com`]) {
      for (let i = 0; i < 5; i++) await failing(enter(one, 'wrong'), 'LOGIN_FAILED');
      const { retryAfterS } = await failing(enter(one), 'TOO_MANY_REQUESTS');
      expect(retryAfterS).toBeGreaterThan(0);
    }
    at.world.pass(2_000);
    await enter(email);
  });

  it('is in the log as an action of the user in the app, also if it is refused', async () => {
    const { email, id } = await aUser();
    await failing(enter(email, 'wrong'), 'LOGIN_FAILED');
    await enter(email);
    const now = at.world.now().getTime();
    const query = {
      begin: new Date(now - 60_000).toISOString(),
      end: new Date(now + 60_000).toISOString(),
      actor: id,
    };
    const params = { projectId: at.projectId };
    const entries = await at.owner.client.call(readLogEntries, { params, query });
    expect(
      entries.map(({ action, text, actor, detail }) => [action, text, actor.callerType, detail?.app]),
    ).toEqual([
      ['signIn', 'Signed in', 'user', app.id],
      ['signIn', 'Refused (LOGIN_FAILED): Signed in', 'user', app.id],
    ]);
    expect(JSON.stringify(entries)).not.toContain(password);
  });
});

describe('a forgotten password', () => {
  it('is replaced with the code from the e-mail, which ends all sessions and notifies the user', async () => {
    const { email, client } = await aUser();
    expect(await phone.call(startUserPasswordReset, { body: { email } })).toBeUndefined();
    const [mail] = await at.world.mailsTo(email);
    expect(mail?.subject).toMatch(/^Reset your password for /);
    const body = { email, code: codeIn(mail?.text), newPassword };
    await phone.call(resetUserPassword, { body });
    await failing(client.call(readMe), 'NO_USER_SESSION');
    await failing(enter(email), 'LOGIN_FAILED');
    await enter(email, newPassword);
    expect((await subjects(email))[0]).toBe('Your password was changed');
    await failing(phone.call(resetUserPassword, { body }), 'CODE_WRONG');
    await failing(
      phone.call(resetUserPassword, { body: { token: mail?.token ?? '', newPassword } }),
      'INVALID_LINK',
    );
  });

  it('for an unknown address gets the same answer, but no e-mail', async () => {
    const email = `${unique('nobody')}@example.com`;
    expect(await phone.call(startUserPasswordReset, { body: { email } })).toBeUndefined();
    expect(await subjects(email)).toEqual([]);
  });

  it('when replaced verifies the address', async () => {
    const email = `${unique('user')}@example.com`;
    await phone.call(register, { body: { email, password } });
    await phone.call(startUserPasswordReset, { body: { email } });
    const [mail] = await at.world.mailsTo(email);
    await phone.call(resetUserPassword, { body: { token: mail?.token ?? '', newPassword } });
    expect((await enter(email, newPassword)).user.verified).toBe(true);
  });
});

describe('a changed password', () => {
  it('ends all sessions except the one of the call', async () => {
    const { email, client } = await aUser();
    const other = await enter(email);
    await client.call(changeUserPassword, { body: { email, oldPassword: password, newPassword } });
    await client.call(readMe);
    await failing(
      phone.call(changeUserPassword, { body: { email, oldPassword: password, newPassword } }),
      'LOGIN_FAILED',
    );
    await enter(email, newPassword);
    expect(other.sessionId).not.toBe('');
    const [open] = await at.world.platform.db.many<{ reason: string }>(sql`
      select end_reason as reason from user_sessions where id = ${other.sessionId}`);
    expect(open?.reason).toBe('ended');
  });

  it('is changed only once if the call is repeated because its answer was lost', async () => {
    const { email, client } = await aUser();
    const body = { email, oldPassword: password, newPassword };
    const change = () => client.call(changeUserPassword, { body, idempotencyKey: 'lost' });
    await change();
    await change();
    expect(await subjects(email)).toEqual(['Your password was changed']);
  });

  it('must differ from the old one', async () => {
    const { email } = await aUser();
    const body = { email, oldPassword: password, newPassword: password };
    await failing(phone.call(changeUserPassword, { body }), 'PASSWORD_UNCHANGED');
  });
});

describe('a password that is replaced while the old one is being checked', () => {
  /** Sets another password while `call`, which uses the old one, is running. */
  async function setDuring(email: string, call: () => Promise<unknown>): Promise<unknown> {
    let called: Promise<unknown> | undefined;
    await at.world.platform.db.tx(async tx => {
      await tx.run(sql`update users set password_hash = 'another one' where email = ${email}`);
      called = call();
      called.catch(() => undefined);
      await untilWaiting(at.world, 1);
    });
    return called;
  }

  it('prevents a sign-in and a change with the old one', async () => {
    const [{ email }, { email: other }] = [await aUser(), await aUser()];
    const body = { email: other, oldPassword: password, newPassword };
    const change = () => phone.call(changeUserPassword, { body });
    const entered = setDuring(email, () => enter(email));
    await failing(entered, 'LOGIN_FAILED');
    await failing(setDuring(other, change), 'LOGIN_FAILED');
  });
});

describe('the password policy of a project', () => {
  const policy = {
    minLength: 12,
    mustHaveUppercase: true,
    mustHaveLowercase: true,
    mustHaveNumber: true,
    mustHaveNonAlphanum: true,
  };

  it('applies wherever a user chooses a password', async () => {
    const { email } = await aUser();
    await edit({ userPasswordPolicy: policy });
    const weak = 'nouppercase 1';
    const { context } = await failing(
      phone.call(register, { body: { email, password: weak } }),
      'PASSWORD_POLICY',
    );
    expect(context).toEqual({ broken: ['mustHaveUppercase'] });
    const body = { email, oldPassword: password, newPassword: weak };
    await failing(phone.call(changeUserPassword, { body }), 'PASSWORD_POLICY');
    await phone.call(startUserPasswordReset, { body: { email } });
    const [mail] = await at.world.mailsTo(email);
    const token = mail?.token ?? '';
    await failing(phone.call(resetUserPassword, { body: { token, newPassword: weak } }), 'PASSWORD_POLICY');
    await phone.call(resetUserPassword, { body: { token, newPassword: 'With Uppercase 1' } });
    await edit({ userPasswordPolicy: null });
  });

  it('makes a password expire after its days, and then requires a change', async () => {
    const { email } = await aUser();
    await edit({ userPasswordPolicy: { ...policy, minLength: 8, mustHaveUppercase: false, maxAge: 30 } });
    await enter(email);
    await at.world.platform.db.run(sql`
      update users set password_set_at = password_set_at - interval '30 days' where email = ${email}`);
    await failing(enter(email, 'wrong'), 'LOGIN_FAILED');
    await failing(enter(email), 'PASSWORD_EXPIRED');
    await phone.call(changeUserPassword, { body: { email, oldPassword: password, newPassword } });
    await enter(email, newPassword);
    await edit({ userPasswordPolicy: null });
  });

  it('is not needed for refusing the most common passwords', async () => {
    const body = { email: `${unique('user')}@example.com`, password: 'password123' };
    await failing(phone.call(register, { body }), 'WEAK_PASSWORD');
    await failing(phone.call(register, { body: { ...body, password: 'short7' } }), 'PASSWORD_POLICY');
  });
});

describe('a project', () => {
  it('without password sign-in allows neither signing in with a password nor changing or resetting it', async () => {
    const { email } = await aUser();
    await phone.call(startUserPasswordReset, { body: { email } });
    const [mail] = await at.world.mailsTo(email);
    await edit({ restrictPasswordLogin: true });
    await failing(enter(email), 'PASSWORD_LOGIN_RESTRICTED');
    await failing(phone.call(startUserPasswordReset, { body: { email } }), 'PASSWORD_LOGIN_RESTRICTED');
    const token = mail?.token ?? '';
    await failing(
      phone.call(resetUserPassword, { body: { token, newPassword } }),
      'PASSWORD_LOGIN_RESTRICTED',
    );
    const body = { email, oldPassword: password, newPassword };
    await failing(phone.call(changeUserPassword, { body }), 'PASSWORD_LOGIN_RESTRICTED');
    await edit({ restrictPasswordLogin: false });
  });

  it('with external accounts has no passwords or addresses of its own', async () => {
    const { email, client } = await aUser();
    await edit({ userAccountMode: 'external' });
    await failing(enter(email), 'EXTERNAL_ACCOUNTS');
    await failing(phone.call(startUserPasswordReset, { body: { email } }), 'EXTERNAL_ACCOUNTS');
    await failing(client.call(changeMyEmail, { body: { email: 'new@example.com' } }), 'EXTERNAL_ACCOUNTS');
    await edit({ userAccountMode: 'email' });
  });
});

describe('a change of the e-mail address', () => {
  it('requires a recent proof, notifies the old address, and takes effect once the new one is confirmed', async () => {
    const { email, client } = await aUser();
    const next = `${unique('next')}@example.com`;
    const change = () => client.call(changeMyEmail, { body: { email: next } });
    at.world.pass(5 * 60_000 + 1);
    await failing(change(), 'PROOF_REQUIRED');
    await failing(client.call(proveMe, { body: { password: 'wrong' } }), 'WRONG_PASSWORD');
    await client.call(proveMe, { body: { password } });
    await failing(client.call(changeMyEmail, { body: { email: email.toUpperCase() } }), 'EMAIL_UNCHANGED');
    await change();
    expect(await subjects(email)).toEqual(['Your e-mail address is being changed']);
    expect((await client.call(readMe)).newEmail).toBe(next);
    const [mail] = await at.world.mailsTo(next);
    expect(mail?.subject).toMatch(/^Confirm your new e-mail address for /);
    await failing(enter(next), 'LOGIN_FAILED');
    await phone.call(verify, { body: { email: next, code: codeIn(mail?.text) } });
    expect((await enter(next)).user).toMatchObject({ email: next, verified: true });
    expect((await client.call(readMe)).newEmail).toBeUndefined();
    expect((await subjects(email))[0]).toBe('Your e-mail address was changed');
  });

  it('to another user’s address fails, but only after the address was proven', async () => {
    const [{ client }, other] = [await aUser(), await aUser()];
    await client.call(changeMyEmail, { body: { email: other.email } });
    const [mail] = await at.world.mailsTo(other.email);
    await failing(phone.call(verify, { body: { token: mail?.token ?? '' } }), 'EMAIL_TAKEN');
  });

  it('is discarded when the password changes', async () => {
    const { email, client } = await aUser();
    const next = `${unique('next')}@example.com`;
    await client.call(changeMyEmail, { body: { email: next } });
    await phone.call(changeUserPassword, { body: { email, oldPassword: password, newPassword } });
    const [mail] = await at.world.mailsTo(next);
    await failing(phone.call(verify, { body: { token: mail?.token ?? '' } }), 'INVALID_LINK');
  });
});

it('a changed profile is returned and read back', async () => {
  const { client } = await aUser();
  const changed = await client.call(editMe, { body: { name: 'Ada', language: 'nb-NO' } });
  expect(changed).toMatchObject({ name: 'Ada', language: 'nb-NO' });
  const { language: _, ...rest } = changed;
  expect(await client.call(editMe, { body: { language: null } })).toEqual(rest);
  expect(await client.call(readMe)).toEqual(rest);
});
