import { describe, expect, it } from 'vitest';
import {
  activateAuth2F,
  deactivateAuth2F,
  logInWithCode,
  readDeveloper,
  verifyAuth2F,
} from '#contract/account.ts';
import { createProject } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { anAuthenticator, codeOf, firstStep } from '#test/secondFactor.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

const read = ({ client, developer }: SignedIn) =>
  client.call(readDeveloper, { params: { developerId: developer.id } });

describe('two-factor authentication', () => {
  it('is on only once a first code was accepted', async () => {
    const owner = await world.aDeveloper();
    const { auth2FSecret, auth2FUrl } = await owner.client.call(activateAuth2F, {
      body: { password: owner.password },
    });
    expect(auth2FUrl).toMatch(/^otpauth:\/\/totp\/Mooring/);
    expect(auth2FUrl).toContain(`secret=${auth2FSecret}`);
    expect(await read(owner)).toHaveProperty('auth2FActivated', false);
    const body = { code: codeOf(world, auth2FSecret) };
    const { recoveryCodes } = await owner.client.call(verifyAuth2F, { body });
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await read(owner)).toHaveProperty('auth2FActivated', true);
  });

  it('requires the code after the password, and opens no session before', async () => {
    const owner = await world.aDeveloper();
    const { code } = await anAuthenticator(world, owner);
    const visitor = world.visitor();
    const token = await firstStep(visitor, owner);
    expect([...visitor.cookies.keys()]).toEqual([]);
    const answer = await visitor.client.call(logInWithCode, { body: { token, code: code() } });
    expect(answer.developer.email).toBe(owner.email);
    expect(visitor.cookies.has('mooring')).toBe(true);
  });

  it('is set up and turned off with the password alone', async () => {
    const owner = await world.aDeveloper();
    const wrong = { body: { password: 'something else' } };
    await failing(owner.client.call(activateAuth2F, wrong), 'WRONG_PASSWORD');
    const { code } = await anAuthenticator(world, owner);
    await failing(owner.client.call(deactivateAuth2F, wrong), 'WRONG_PASSWORD');
    await owner.client.call(deactivateAuth2F, { body: { password: owner.password } });
    expect(await read(owner)).toHaveProperty('auth2FActivated', false);
    await failing(owner.client.call(verifyAuth2F, { body: { code: code(1) } }), 'AUTH2F_NOT_STARTED');
  });

  it('cannot be turned on twice, turned off while it is off, or confirmed before setup', async () => {
    const owner = await world.aDeveloper();
    const body = { password: owner.password };
    await failing(owner.client.call(deactivateAuth2F, { body }), 'AUTH2F_NOT_ACTIVE');
    await failing(owner.client.call(verifyAuth2F, { body: { code: '123456' } }), 'AUTH2F_NOT_STARTED');
    const { code } = await anAuthenticator(world, owner);
    await failing(owner.client.call(activateAuth2F, { body }), 'AUTH2F_ALREADY_ACTIVE');
    await failing(owner.client.call(verifyAuth2F, { body: { code: code() } }), 'AUTH2F_ALREADY_ACTIVE');
  });

  it('when turned off, invalidates second steps that began before', async () => {
    const owner = await world.aDeveloper();
    const { code } = await anAuthenticator(world, owner);
    const token = await firstStep(world.visitor(), owner);
    await owner.client.call(deactivateAuth2F, { body: { password: owner.password } });
    const body = { token, code: code() };
    await failing(world.visitor().client.call(logInWithCode, { body }), 'AUTH2F_EXPIRED');
  });

  it('that the organization requires leaves the account open, but its projects closed until it is on', async () => {
    await world.platform.db.run(
      sql`insert into organizations (id, name, require_two_factor) values ('careful', 'Careful', true)`,
    );
    const owner = await world.aDeveloper({ orgId: 'careful' });
    expect(owner.developer).toHaveProperty('auth2FRequired', true);
    const create = () => owner.client.call(createProject, { body: { name: 'Safe' } });
    await failing(create(), 'TWO_FACTOR_REQUIRED');
    await anAuthenticator(world, owner);
    expect(await create()).toHaveProperty('name', 'Safe');
  });

  it('encrypts its secret', async () => {
    const owner = await world.aDeveloper();
    const { secret } = await anAuthenticator(world, owner);
    const row = await world.platform.db.one<{ secret: Buffer }>(
      sql`select totp_secret as secret from developers where id = ${owner.developer.id}`,
    );
    expect(row?.secret.includes(secret)).toBe(false);
  });
});
