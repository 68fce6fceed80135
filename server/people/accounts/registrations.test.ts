import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeMyEmail, readMe } from '#contract/appApi/me.ts';
import { register, signIn, startVerification, verify } from '#contract/appApi/session.ts';
import type { Client } from '#contract/client.ts';
import { editProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { mailInvitation } from '#server/people/mails/accountMails.ts';
import { insertUser } from '#server/people/users/userStore.ts';
import { anApp } from '#test/apps.ts';
import { atOnce } from '#test/atOnce.ts';
import { anEndUser, appClient, type CalledApp, clientWith } from '#test/endUsers.ts';
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
const anEmail = () => `${unique('user')}@example.com`;
const codeIn = (text: string | undefined) => /code (\d{6})/.exec(text ?? '')?.[1] ?? '';

/** A registered user, with the contents of the e-mail. */
async function registered(given: { email?: string; password?: string; name?: string } = {}) {
  const { email = anEmail() } = given;
  await phone.call(register, { body: { password, ...given, email } });
  const [mail] = await at.world.mailsTo(email);
  return { email, mail, code: codeIn(mail?.text), token: mail?.token ?? '' };
}

const canSignIn = async (email: string, by = phone, with_ = password) => {
  const tokens = await by.call(signIn, { body: { email, password: with_, deviceName: 'Pixel' } });
  expect(await clientWith(at.world, app, tokens.accessToken).call(readMe)).toEqual(tokens.user);
  return tokens;
};

describe('a registered user', () => {
  it('can sign in only after entering the code from the e-mail', async () => {
    const { email, mail, code } = await registered({ name: 'Mari' });
    expect(mail?.subject).toMatch(/^Verify your e-mail address for /);
    await failing(canSignIn(email), 'EMAIL_UNVERIFIED');
    expect(await phone.call(verify, { body: { email, code } })).toEqual({ email });
    const { user } = await canSignIn(email.toUpperCase());
    expect(user).toMatchObject({ email, name: 'Mari', verified: true, hasPassword: true, methods: [] });
  });

  it('can be verified by the token of the link, and neither token nor code works twice', async () => {
    const { email, code, token } = await registered();
    await phone.call(verify, { body: { token } });
    await canSignIn(email);
    await failing(phone.call(verify, { body: { token } }), 'INVALID_LINK');
    await failing(phone.call(verify, { body: { email, code } }), 'CODE_WRONG');
  });

  it('who requests the e-mail again is verified only by the newer one', async () => {
    const { email, code } = await registered();
    expect(await phone.call(startVerification, { body: { email } })).toBeUndefined();
    const [again] = await at.world.mailsTo(email);
    if (codeIn(again?.text) !== code)
      await failing(phone.call(verify, { body: { email, code } }), 'CODE_WRONG');
    await phone.call(verify, { body: { email, code: codeIn(again?.text) } });
    await phone.call(startVerification, { body: { email } });
    expect(await at.world.mailsTo(email)).toHaveLength(2);
  });

  it('has the password and name of the registration whose e-mail was used, whoever else registered', async () => {
    for (const followed of [0, 1]) {
      const email = anEmail();
      const [passwords, names] = [
        [password, 'what a stranger chose 1'],
        ['Mari', 'Mallory'],
      ] as const;
      const first = await registered({ email, password: passwords[0], name: names[0] });
      const second = await registered({ email, password: passwords[1], name: names[1] });
      const { token } = [first, second][followed] ?? first;
      await phone.call(verify, { body: { token } });
      const { user } = await canSignIn(email, phone, passwords[followed]);
      expect(user.name).toBe(names[followed]);
      await failing(canSignIn(email, phone, passwords[1 - followed]), 'LOGIN_FAILED');
      const other = [second, first][followed]?.token ?? '';
      await failing(phone.call(verify, { body: { token: other } }), 'INVALID_LINK');
    }
  });

  it('has no password if a new e-mail could belong to either of two registrations', async () => {
    const email = anEmail();
    await registered({ email });
    await registered({ email, password: 'what a stranger chose 1' });
    await phone.call(startVerification, { body: { email } });
    const [mail] = await at.world.mailsTo(email);
    await phone.call(verify, { body: { token: mail?.token ?? '' } });
    for (const either of [password, 'what a stranger chose 1'])
      await failing(canSignIn(email, phone, either), 'LOGIN_FAILED');
  });
});

it('a user verified during a second registration of the address keeps the first password', async () => {
  const { email } = await registered();
  const { db } = at.world.platform;
  const [gate, strangers] = [7_001, 'what a stranger chose 1'];
  // The second registration waits between its two reads of the user.
  await db.run(sql`create function wait_at_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(7001); return null; end $$`);
  await db.run(sql`create trigger gate after insert on users execute function wait_at_gate()`);
  let again: Promise<unknown> | undefined;
  try {
    await db.tx(async tx => {
      await tx.run(sql`select pg_advisory_lock(${gate})`);
      again = phone.call(register, { body: { email, password: strangers } });
      await untilWaiting(at.world, 1);
      await tx.run(sql`update users set verified_at = ${at.world.now()} where email = ${email}`);
      await tx.run(sql`select pg_advisory_unlock(${gate})`);
      await untilWaiting(at.world, 1);
    });
    await again;
  } finally {
    await db.run(sql`drop trigger gate on users`);
  }
  await canSignIn(email);
  await failing(canSignIn(email, phone, strangers), 'LOGIN_FAILED');
});

it('an unverified registration does not keep an address from a user who proves it', async () => {
  const { email } = await registered();
  const { client } = await anEndUser(at.world, app);
  await client.call(changeMyEmail, { body: { email } });
  const [mail] = await at.world.mailsTo(email);
  await phone.call(verify, { body: { token: mail?.token ?? '' } });
  expect((await client.call(readMe)).email).toBe(email);
});

describe('a code in an e-mail', () => {
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

  it('is invalid after five wrong attempts, but its link still works', async () => {
    const { email, code, token } = await registered();
    for (let i = 0; i < 5; i++) {
      await failing(phone.call(verify, { body: { email, code: wrong(code) } }), 'CODE_WRONG');
      at.world.pass(60_000);
    }
    await failing(phone.call(verify, { body: { email, code } }), 'CODE_WRONG');
    await phone.call(verify, { body: { token } });
  });

  it('cannot be guessed faster with new e-mails, and the delay does not reveal which addresses exist', async () => {
    const { email } = await registered();
    for (const one of [email, anEmail()]) {
      const answers: string[] = [];
      for (let i = 0; i < 7; i++) {
        await phone.call(startVerification, { body: { email: one } });
        const failed = phone.call(verify, { body: { email: one, code: '12345x'.replace('x', String(i)) } });
        answers.push(
          await failed.then(
            () => 'guessed',
            error => error.reason,
          ),
        );
      }
      expect(answers.slice(0, 4)).toEqual(Array(4).fill('CODE_WRONG'));
      expect(answers).toContain('TOO_MANY_REQUESTS');
    }
  });

  it('is not valid in another project', async () => {
    const project = await at.world.aProject(at.owner);
    const elsewhere = appClient(at.world, await anApp(at.owner, project.id));
    const { email, code, token } = await registered();
    await failing(elsewhere.call(verify, { body: { token } }), 'INVALID_LINK');
    await failing(elsewhere.call(verify, { body: { email, code } }), 'CODE_WRONG');
  });
});

describe('an address with an account', () => {
  it('gets the same answer as any other, and its owner gets an e-mail', async () => {
    const { email, client } = await anEndUser(at.world, app);
    expect(await phone.call(register, { body: { email, password } })).toBeUndefined();
    const [mail] = await at.world.mailsTo(email);
    expect(mail?.subject).toBe('You already have an account');
    expect(mail?.token).toBe('');
    await failing(canSignIn(email), 'LOGIN_FAILED');
    expect((await client.call(readMe)).hasPassword).toBe(false);
  });

  it('does not get many e-mails from repeated registrations', async () => {
    const { email } = await anEndUser(at.world, app);
    for (let i = 0; i < 12; i++) await phone.call(register, { body: { email, password } });
    expect((await at.world.mailsTo(email)).length).toBeLessThan(9);
  });

  it('does not get many e-mails from a user who repeatedly changes to it', async () => {
    const { client } = await anEndUser(at.world, app);
    const email = anEmail();
    const { reasons } = await atOnce(12, () => client.call(changeMyEmail, { body: { email } }));
    expect(new Set(reasons)).toEqual(new Set(['TOO_MANY_REQUESTS']));
    expect((await at.world.mailsTo(email)).length).toBeLessThan(9);
  });
});

describe('a project', () => {
  const edit = (body: Parameters<typeof editOf>[0]) => editOf(body);
  const editOf = (body: {
    restrictUserReg?: boolean;
    userAccountMode?: 'email' | 'external';
    restrictPasswordLogin?: boolean;
  }) => at.owner.client.call(editProject, { params: { projectId: at.projectId }, body });
  const tryIt = (invitation?: string, email = anEmail()) =>
    phone.call(register, { body: { email, password, ...(invitation !== undefined && { invitation }) } });

  it('with restricted registration accepts an invitation once, for the invited address only', async () => {
    await edit({ restrictUserReg: true });
    try {
      await failing(tryIt(), 'REGISTRATION_RESTRICTED');
      await failing(tryIt('nothing'), 'INVALID_LINK');
      const { platform } = at.world;
      const [email, id] = [anEmail(), platform.newId('usr')];
      await insertUser(platform.db, { id, projectId: at.projectId, email, now: at.world.now() });
      const project = { id: at.projectId, name: 'Harbour' };
      await mailInvitation(platform.db, platform, {
        project,
        user: { id, name: '', email },
        inviterName: 'Ada',
      });
      const [mail] = await at.world.mailsTo(email);
      expect(mail?.subject).toBe('You are invited to Harbour');
      await failing(tryIt(mail?.token, anEmail()), 'INVALID_LINK');
      await tryIt(mail?.token, email);
      expect((await canSignIn(email)).user.id).toBe(id);
      await failing(tryIt(mail?.token, email), 'INVALID_LINK');
      const logged = await at.world.platform.db.many(sql`
        select 1 from log_entries where project_id = ${at.projectId} and detail::text like ${`%${mail?.token}%`}`);
      expect(logged).toEqual([]);
    } finally {
      await edit({ restrictUserReg: false });
    }
  });

  it('with external accounts or without passwords has no registration', async () => {
    await edit({ userAccountMode: 'external' });
    await failing(tryIt(), 'EXTERNAL_ACCOUNTS');
    await edit({ userAccountMode: 'email', restrictPasswordLogin: true });
    await failing(tryIt(), 'PASSWORD_LOGIN_RESTRICTED');
    await edit({ restrictPasswordLogin: false });
    await tryIt();
  });
});

// Last, because the developer's session has expired by then.
it('a code works for 15 minutes, and its link for a day', async () => {
  const { email, code, token } = await registered();
  at.world.pass(15 * 60_000 + 1);
  await failing(phone.call(verify, { body: { email, code } }), 'CODE_WRONG');
  at.world.pass(23 * 3_600_000);
  await phone.call(verify, { body: { token } });
});
