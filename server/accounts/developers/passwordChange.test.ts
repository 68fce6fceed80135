import { describe, expect, it } from 'vitest';
import { changePassword, deactivateAuth2F, logIn, logInWithCode, readDeveloper } from '#contract/account.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { anAuthenticator, firstStep } from '#test/secondFactor.ts';
import { untilWaiting } from '#test/untilWaiting.ts';
import { type SignedIn, theWorld, type Visitor } from '#test/world.ts';

const world = theWorld();

const newPassword = 'another four words';
const change = (by: Visitor, { email, password }: SignedIn, to = newPassword, orgId = 'default') =>
  by.client.call(changePassword, { body: { email, orgId, oldPassword: password, newPassword: to } });
const read = (by: Visitor, { developer }: SignedIn) =>
  by.client.call(readDeveloper, { params: { developerId: developer.id } });
const enter = (by: Visitor, email: string, password: string) =>
  by.client.call(logIn, { body: { email, password, orgId: 'default' } });

it('a password that is replaced while it is being checked allows nothing', async () => {
  const setDuring = async ({ developer }: SignedIn, call: () => Promise<unknown>) => {
    let called: Promise<unknown> | undefined;
    await world.platform.db.tx(async tx => {
      await tx.run(sql`update developers set password_hash = 'another one' where id = ${developer.id}`);
      called = call();
      called.catch(() => undefined);
      await untilWaiting(world, 1);
    });
    return called;
  };
  const people = [world.aDeveloper(), world.aDeveloper(), world.aDeveloper()] as const;
  const [owner, other, careful] = await Promise.all(people);
  const entering = setDuring(owner, () => enter(world.visitor(), owner.email, owner.password));
  await failing(entering, 'LOGIN_FAILED');
  const changing = setDuring(other, () => change(world.visitor(), other));
  await failing(changing, 'LOGIN_FAILED');
  await anAuthenticator(world, careful);
  const body = { password: careful.password };
  const turningOff = setDuring(careful, () => careful.client.call(deactivateAuth2F, { body }));
  await failing(turningOff, 'WRONG_PASSWORD');
});

describe('a change of password', () => {
  it('keeps the session it is made in, ends all others, and notifies the owner', async () => {
    const owner = await world.aDeveloper();
    const elsewhere = world.visitor();
    await enter(elsewhere, owner.email, owner.password);
    await change(owner, owner);
    expect(await read(owner, owner)).toHaveProperty('email', owner.email);
    await failing(read(elsewhere, owner), 'NO_LOGIN');
    await failing(enter(world.visitor(), owner.email, owner.password), 'LOGIN_FAILED');
    expect(await enter(world.visitor(), owner.email, newPassword)).toHaveProperty('developer');
    const [notice] = (await world.mailsTo(owner.email)).filter(({ subject }) => /password was/.test(subject));
    expect(notice?.text).toContain('127.0.0.1');
  });

  it('requires the old password', async () => {
    const owner = await world.aDeveloper();
    const wrong = { ...owner, password: 'something else' };
    await failing(change(world.visitor(), wrong), 'LOGIN_FAILED');
    await failing(change(world.visitor(), owner, newPassword, 'nowhere'), 'LOGIN_ORG_MISMATCH');
    expect(await enter(world.visitor(), owner.email, owner.password)).toHaveProperty('developer');
  });

  it('reports a wrong old password at its field if the caller is signed in', async () => {
    const owner = await world.aDeveloper();
    const refused = change(owner, { ...owner, password: 'something else' });
    expect(await failing(refused, 'WRONG_PASSWORD')).toHaveProperty('fields', {
      oldPassword: 'WRONG_PASSWORD',
    });
  });

  it('to a common password is refused, and never counts as a guess', async () => {
    const owner = await world.aDeveloper();
    for (let i = 0; i < 8; i++) {
      const { fields } = await failing(change(world.visitor(), owner, 'password123'), 'WEAK_PASSWORD');
      expect(fields).toEqual({ newPassword: 'WEAK_PASSWORD' });
    }
    await change(world.visitor(), owner);
  });

  it('made in the session of another account ends all sessions of the changed account', async () => {
    const [owner, other] = [await world.aDeveloper(), await world.aDeveloper()];
    await change(other, owner);
    await failing(read(owner, owner), 'NO_LOGIN');
    expect(await read(other, other)).toHaveProperty('email', other.email);
  });

  it('of an account with two-factor requires a session of that account', async () => {
    const owner = await world.aDeveloper();
    await anAuthenticator(world, owner);
    await failing(change(world.visitor(), owner), 'NO_LOGIN');
    await change(owner, owner);
    expect(await enter(world.visitor(), owner.email, newPassword)).toHaveProperty('auth2FToken');
  });

  it('invalidates second steps that began with the old password', async () => {
    const owner = await world.aDeveloper();
    const { code } = await anAuthenticator(world, owner);
    const token = await firstStep(world.visitor(), owner);
    await change(owner, owner);
    const body = { token, code: code() };
    await failing(world.visitor().client.call(logInWithCode, { body }), 'AUTH2F_EXPIRED');
  });
});
