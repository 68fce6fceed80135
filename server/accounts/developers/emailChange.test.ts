import { describe, expect, it } from 'vitest';
import {
  changePassword,
  editDeveloper,
  endSession,
  listSessions,
  logIn,
  readDeveloper,
  resetPassword,
  signUp,
  startPasswordReset,
  startVerification,
  verify,
} from '#contract/account.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { type SignedIn, theWorld, unique } from '#test/world.ts';

const world = theWorld();

const anAddress = () => `${unique('moved')}@example.com`;
const move = ({ client, developer }: SignedIn, email: string) =>
  client.call(editDeveloper, { params: { developerId: developer.id }, body: { email } });
const read = ({ client, developer }: SignedIn) =>
  client.call(readDeveloper, { params: { developerId: developer.id } });
const open = (token = '') => world.visitor().client.call(verify, { body: { token } });
const newest = async (email: string) => (await world.mailsTo(email))[0];
const enter = (email: string, password: string) =>
  world.visitor().client.call(logIn, { body: { email, password, orgId: 'default' } });

describe('a change of e-mail', () => {
  it('takes effect when the link sent to the new address is opened', async () => {
    const owner = await world.aDeveloper();
    const email = anAddress();
    expect(await move(owner, email)).toMatchObject({ email: owner.email, pendingEmail: email });
    expect(await enter(owner.email, owner.password)).toHaveProperty('developer');
    await failing(enter(email, owner.password), 'LOGIN_FAILED');
    expect(await open((await newest(email))?.token)).toEqual({ email });
    expect(await read(owner)).toMatchObject({ email, verified: true });
    expect(await read(owner)).not.toHaveProperty('pendingEmail');
    await failing(enter(owner.email, owner.password), 'LOGIN_FAILED');
    expect(await enter(email, owner.password)).toHaveProperty('developer');
  });

  it('notifies the old address at the request, while there is still time to act', async () => {
    const owner = await world.aDeveloper();
    const email = anAddress();
    await move(owner, email);
    const told = await newest(owner.email);
    expect(told?.subject).toBe('Your e-mail address is being changed');
    expect(told?.text).toContain(email);
    expect(told?.token).toBe('');
  });

  it('requires the password again if it was given more than 15 minutes ago', async () => {
    const owner = await world.aDeveloper();
    world.pass(14 * minuteMs);
    await move(owner, anAddress());
    world.pass(2 * minuteMs);
    await failing(move(owner, anAddress()), 'REAUTH_REQUIRED');
    const { email, password } = owner;
    await owner.client.call(logIn, { body: { email, password, orgId: 'default' } });
    expect(await move(owner, anAddress())).toHaveProperty('pendingEmail');
  });

  it('to the current address is refused, in any spelling', async () => {
    const owner = await world.aDeveloper();
    const { fields } = await failing(move(owner, owner.email.toUpperCase()), 'EMAIL_UNCHANGED');
    expect(fields).toEqual({ email: 'EMAIL_UNCHANGED' });
  });

  it('to an address that somebody else has taken in the meantime fails with an invalid link', async () => {
    const [owner, email] = [await world.aDeveloper(), anAddress()];
    await move(owner, email);
    const link = await newest(email);
    const body = { email, name: 'Quicker', orgId: 'default', password: 'four words of nonsense' };
    await world.visitor().client.call(signUp, { body });
    await failing(open(link?.token), 'INVALID_LINK');
    expect(await read(owner)).toHaveProperty('email', owner.email);
  });

  it('can be requested again, after which only the newest link works', async () => {
    const [owner, first, second] = [await world.aDeveloper(), anAddress(), anAddress()];
    await move(owner, first);
    await move(owner, second);
    await failing(open((await newest(first))?.token), 'INVALID_LINK');
    const earlier = await newest(second);
    await world.visitor().client.call(startVerification, { body: { orgId: 'default', email: owner.email } });
    await failing(open(earlier?.token), 'INVALID_LINK');
    expect(await open((await newest(second))?.token)).toEqual({ email: second });
  });

  it('is cancelled by a change of password, so that an owner who did not request it can stop it', async () => {
    const [owner, thief] = [await world.aDeveloper(), anAddress()];
    await move(owner, thief);
    const { email, password } = owner;
    const body = { email, orgId: 'default', oldPassword: password, newPassword: 'another four words' };
    await owner.client.call(changePassword, { body });
    await failing(open((await newest(thief))?.token), 'INVALID_LINK');
    expect(await read(owner)).not.toHaveProperty('pendingEmail');
  });

  it('is cancelled when the session in which it was requested is ended from another one', async () => {
    const [owner, thief] = [await world.aDeveloper(), anAddress()];
    const { email, password, developer } = owner;
    const stolen = world.visitor();
    await stolen.client.call(logIn, { body: { email, password, orgId: 'default' } });
    const params = { developerId: developer.id };
    await stolen.client.call(editDeveloper, { params, body: { email: thief } });
    const [other] = (await owner.client.call(listSessions, { params })).filter(({ current }) => !current);
    await owner.client.call(endSession, { params: { ...params, sessionId: other?.id ?? '' } });
    await failing(open((await newest(thief))?.token), 'INVALID_LINK');
    expect(await read(owner)).not.toHaveProperty('pendingEmail');
  });

  it('does not take effect while the account is suspended', async () => {
    const [owner, email] = [await world.aDeveloper(), anAddress()];
    await move(owner, email);
    await world.platform.db.run(sql`update developers set suspended = true where id = ${owner.developer.id}`);
    await failing(open((await newest(email))?.token), 'INVALID_LINK');
  });

  it('is cancelled by a password reset as well', async () => {
    const [owner, thief] = [await world.aDeveloper(), anAddress()];
    await move(owner, thief);
    const { client } = world.visitor();
    await client.call(startPasswordReset, { body: { orgId: 'default', email: owner.email } });
    const token = (await newest(owner.email))?.token ?? '';
    await client.call(resetPassword, { body: { token, newPassword: 'another four words' } });
    await failing(open((await newest(thief))?.token), 'INVALID_LINK');
    expect(await enter(owner.email, 'another four words')).toHaveProperty('developer.email', owner.email);
  });
});
