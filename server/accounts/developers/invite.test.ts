import { describe, expect, it } from 'vitest';
import { activate, logIn } from '#contract/account.ts';
import { listProjects } from '#contract/project.ts';
import { dayMs } from '#rules/time/durations.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { theWorld, unique } from '#test/world.ts';
import { invite } from './invite.ts';

const world = theWorld({ SAMPLE_PROJECT: 'on' });

const password = 'four words of nonsense';
async function anInvitation(email = `${unique('guest')}@example.com`) {
  const given = { orgId: 'default', email, by: { inviter: 'Ada Lovelace', project: 'Nordlys' } };
  const id = await world.platform.db.tx(db => invite(db, world.platform, given));
  return { id, email, token: (await world.mailsTo(email))[0]?.token ?? '' };
}
const accept = (token: string, given = password) =>
  world.visitor().client.call(activate, { body: { token, name: 'Grace', password: given } });
const enter = (email: string) =>
  world.visitor().client.call(logIn, { body: { email, password, orgId: 'default' } });

describe('an invitation', () => {
  it('creates a verified account with a sample project', async () => {
    const { email, token } = await anInvitation();
    await failing(enter(email), 'LOGIN_FAILED');
    expect(await accept(token)).toEqual({ email, orgId: 'default' });
    const { client } = world.visitor();
    const answer = await client.call(logIn, { body: { email, password, orgId: 'default' } });
    expect(answer).toMatchObject({ developer: { email, name: 'Grace', verified: true } });
    expect((await client.call(listProjects)).items.map(({ isSample }) => isSample)).toEqual([true]);
  });

  it('works once, even if fifty accept it at once', async () => {
    const { token } = await anInvitation();
    const { answers, reasons } = await atOnce(50, () => accept(token));
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['INVALID_LINK']));
  });

  it('still works after a password that is refused', async () => {
    const { token } = await anInvitation();
    await failing(accept(token, 'password123'), 'WEAK_PASSWORD');
    expect(await accept(token)).toHaveProperty('email');
  });

  it('works for seven days, unless a newer one replaces it', async () => {
    const { token, email } = await anInvitation();
    const again = await anInvitation(email);
    await failing(accept(token), 'INVALID_LINK');
    world.pass(7 * dayMs);
    await failing(accept(again.token), 'INVALID_LINK');
    expect(await accept((await anInvitation(email)).token)).toHaveProperty('email', email);
  });

  it('is not sent to an address that has an account', async () => {
    const { email } = await world.aDeveloper();
    expect((await anInvitation(email)).id).toBeUndefined();
  });
});
