import { describe, expect, it } from 'vitest';
import { logIn, logInWithCode, logOut, readDeveloper } from '#contract/account.ts';
import { readOrganization } from '#contract/organization.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { anAuthenticator, firstStep } from '#test/secondFactor.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

const suspend = ({ developer }: SignedIn) =>
  world.platform.db.run(sql`update developers set suspended = true where id = ${developer.id}`);
const read = ({ client, developer }: SignedIn) =>
  client.call(readDeveloper, { params: { developerId: developer.id } });

describe('a suspended account', () => {
  it('is signed out at its next call', async () => {
    const owner = await world.aDeveloper();
    await suspend(owner);
    expect(await failing(read(owner), 'ACCOUNT_SUSPENDED')).toHaveProperty('status', 401);
    await failing(owner.client.call(logOut), 'ACCOUNT_SUSPENDED');
  });

  it('learns that it is suspended only with the right password', async () => {
    const { email, password, ...owner } = await world.aDeveloper();
    await suspend({ email, password, ...owner });
    const enter = (given: string) =>
      world.visitor().client.call(logIn, { body: { email, password: given, orgId: 'default' } });
    await failing(enter('something else'), 'LOGIN_FAILED');
    await failing(enter(password), 'ACCOUNT_SUSPENDED');
  });

  it('cannot finish a second step that began before the suspension', async () => {
    const owner = await world.aDeveloper();
    const { code } = await anAuthenticator(world, owner);
    const token = await firstStep(world.visitor(), owner);
    await suspend(owner);
    const body = { token, code: code() };
    await failing(world.visitor().client.call(logInWithCode, { body }), 'ACCOUNT_SUSPENDED');
  });

  it('can still make calls that need no sign-in, and sign in to another account in the same browser', async () => {
    const [owner, other] = [await world.aDeveloper(), await world.aDeveloper()];
    await suspend(owner);
    expect(await owner.client.call(readOrganization, { params: { org: 'default' } })).toHaveProperty('id');
    const { email, password } = other;
    const body = { email, password, orgId: 'default' };
    expect(await owner.client.call(logIn, { body })).toHaveProperty('developer.email', email);
    expect(await read({ ...other, client: owner.client })).toHaveProperty('email', email);
  });
});
