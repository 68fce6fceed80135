import { describe, expect, it } from 'vitest';
import { deactivateAuth2F, logInWithCode } from '#contract/account.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { anAuthenticator, firstStep } from '#test/secondFactor.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

async function enter(owner: SignedIn, recoveryCode: string) {
  const visitor = world.visitor();
  const token = await firstStep(visitor, owner);
  return visitor.client.call(logInWithCode, { body: { token, recoveryCode } });
}

describe('a recovery code', () => {
  it('replaces the authenticator app: each of ten works once', async () => {
    const owner = await world.aDeveloper();
    const { recoveryCodes } = await anAuthenticator(world, owner);
    expect(recoveryCodes).toHaveLength(10);
    for (const code of recoveryCodes) expect(await enter(owner, code)).toHaveProperty('session');
    for (const code of recoveryCodes.slice(0, 3)) {
      const { fields } = await failing(enter(owner, code), 'INVALID_TOKEN');
      expect(fields).toEqual({ recoveryCode: 'INVALID_TOKEN' });
    }
  });

  it('is accepted in any case and with any separators', async () => {
    const owner = await world.aDeveloper();
    const { recoveryCodes } = await anAuthenticator(world, owner);
    const [code = ''] = recoveryCodes;
    expect(await enter(owner, ` ${code.toUpperCase().replace('-', ' ')} `)).toHaveProperty('session');
  });

  it('used four times at once opens one session', async () => {
    const owner = await world.aDeveloper();
    const { recoveryCodes } = await anAuthenticator(world, owner);
    const { answers } = await atOnce(4, () => enter(owner, recoveryCodes[0] ?? ''));
    expect(answers).toHaveLength(1);
  });

  it('stops working when two-factor is turned off and on again', async () => {
    const owner = await world.aDeveloper();
    const { recoveryCodes } = await anAuthenticator(world, owner);
    await owner.client.call(deactivateAuth2F, { body: { password: owner.password } });
    await anAuthenticator(world, owner);
    await failing(enter(owner, recoveryCodes[0] ?? ''), 'INVALID_TOKEN');
  });

  it('of another account is refused', async () => {
    const [owner, stranger] = [await world.aDeveloper(), await world.aDeveloper()];
    await anAuthenticator(world, owner);
    const { recoveryCodes } = await anAuthenticator(world, stranger);
    await failing(enter(owner, recoveryCodes[0] ?? ''), 'INVALID_TOKEN');
  });

  it('is stored only as a hash', async () => {
    const owner = await world.aDeveloper();
    const { recoveryCodes } = await anAuthenticator(world, owner);
    const rows = await world.platform.db.many(sql`select r::text as row from recovery_codes r`);
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code);
  });
});
