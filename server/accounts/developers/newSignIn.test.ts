import { describe, expect, it } from 'vitest';
import { logIn, logOut } from '#contract/account.ts';
import { dayMs } from '#rules/time/durations.ts';
import { aSudoer } from '#test/sudoLink.ts';
import { type SignedIn, theWorld, type Visitor } from '#test/world.ts';

const world = theWorld();

const enter = ({ client }: Visitor, { email, password }: SignedIn) =>
  client.call(logIn, { body: { email, password, orgId: 'default' } });
const notices = async ({ email }: SignedIn) =>
  (await world.mailsTo(email)).filter(({ subject }) => subject === 'New sign-in to your account');

describe('a sign-in', () => {
  it('from a new browser notifies the owner, with device and address', async () => {
    const owner = await world.aDeveloper();
    expect(await notices(owner)).toEqual([]);
    await enter(world.visitor({ 'user-agent': 'curl/8.0' }), owner);
    const [notice, ...more] = await notices(owner);
    expect(more).toEqual([]);
    expect(notice?.text).toContain('curl');
    expect(notice?.text).toContain('127.0.0.1');
  });

  it('from a known browser sends no e-mail', async () => {
    const owner = await world.aDeveloper();
    await owner.client.call(logOut);
    await enter(owner, owner);
    expect(await notices(owner)).toEqual([]);
  });

  it('from a new browser notifies the owner even after signing out everywhere', async () => {
    const owner = await world.aDeveloper();
    await owner.client.call(logOut);
    world.pass(dayMs);
    await enter(world.visitor(), owner);
    expect(await notices(owner)).toHaveLength(1);
  });

  it('by a support link does not make its browser a known one', async () => {
    const owner = await world.aDeveloper();
    await enter(await aSudoer(world, owner), owner);
    expect(await notices(owner)).toHaveLength(1);
  });
});
