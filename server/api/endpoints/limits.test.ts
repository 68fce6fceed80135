import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSessions, signUp } from '#contract/account.ts';
import { readAppConfig } from '#contract/appApi/config.ts';
import { createMyHome, inviteToHome, offerMyHome } from '#contract/appApi/home.ts';
import { type Client, createClient } from '#contract/client.ts';
import { readOrganization } from '#contract/organization.ts';
import { editProject } from '#contract/project.ts';
import { addMember } from '#contract/team.ts';
import { hourMs } from '#rules/time/durations.ts';
import { anApp } from '#test/apps.ts';
import { atOnce } from '#test/atOnce.ts';
import { anEndUser, appUrl } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aWorld, unique, type World } from '#test/world.ts';
import { Limits } from './limits.ts';

describe('with rate limits on', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  });
  afterAll(() => world.end());
  const from = (address: string) => world.visitor({ 'x-forwarded-for': address });
  const join = (address: string, name = 'Grace') => {
    const email = `${unique('new')}@example.com`;
    const body = { email, name, orgId: 'default', password: 'four words of nonsense' };
    return from(address).client.call(signUp, { body });
  };

  it('an address can make 200 calls at once, then gets 429 with the time to wait, and others are not affected', async () => {
    const { client } = from('192.0.2.1');
    const read = () => client.call(readOrganization, { params: { org: 'default' } });
    const { answers, reasons } = await atOnce(400, read);
    expect(answers.length).toBeGreaterThanOrEqual(200);
    expect(new Set(reasons)).toEqual(new Set(['TOO_MANY_REQUESTS']));
    const other = from('192.0.2.2').client.call(readOrganization, { params: { org: 'default' } });
    expect(await other).toHaveProperty('id');
    world.pass(7000);
    expect(await read()).toHaveProperty('id');
  });

  it('an address can make twenty sign-ups an hour, and invalid input is not counted', async () => {
    for (let i = 0; i < 5; i++) await failing(join('192.0.2.3', ''), 'INVALID_FIELDS');
    const { reasons } = await atOnce(21, () => join('192.0.2.3'));
    expect(reasons).toEqual(['TOO_MANY_REQUESTS']);
    const { status, retryAfterS } = await failing(join('192.0.2.3'), 'TOO_MANY_REQUESTS');
    expect([status, retryAfterS]).toEqual([429, expect.any(Number)]);
    expect(retryAfterS).toBeLessThanOrEqual(180);
    world.pass(hourMs);
    await join('192.0.2.3');
  });

  it('a team can send sixty invitations an hour, new or repeated', async () => {
    const owner = await world.aDeveloper();
    const { id: projectId } = await world.aProject(owner);
    const body = { email: `${unique('invited')}@example.com` };
    const invite = () => owner.client.call(addMember, { params: { projectId }, body });
    expect((await atOnce(61, invite)).reasons).toEqual(['TOO_MANY_REQUESTS']);
    world.pass(hourMs);
    expect(await invite()).toHaveProperty('pending', true);
  });

  it.each<[string, (client: Client, homeId: string) => Promise<unknown>]>([
    [
      'invitations',
      (client, homeId) =>
        client.call(inviteToHome, {
          params: { homeId },
          body: { email: `${unique('invited')}@example.com`, role: 'member' },
        }),
    ],
    [
      'offers',
      (client, homeId) => client.call(offerMyHome, { params: { homeId }, body: { userId: 'usr_nobody' } }),
    ],
  ])('a network can send sixty %s of homes an hour', async (_what, send) => {
    const owner = await world.aDeveloper();
    const { id: projectId } = await world.aProject(owner);
    const { client } = await anEndUser(world, await anApp(owner, projectId));
    const { id } = await client.call(createMyHome, { body: { name: 'Home', timeZone: 'Europe/Oslo' } });
    const reasons: (string | undefined)[] = [];
    for (let n = 0; n < 61; n++) {
      // Stays below the rate limit of the user.
      world.pass(300);
      reasons.push(...(await atOnce(1, () => send(client, id))).reasons);
    }
    expect(reasons.filter(reason => reason === 'TOO_MANY_REQUESTS')).toHaveLength(1);
    expect(reasons.at(-1)).toBe('TOO_MANY_REQUESTS');
  });

  it('a developer has their own limit, independent of other callers at the same address', async () => {
    const owner = await world.aDeveloper();
    const { client } = world.visitor();
    const read = () => client.call(readOrganization, { params: { org: 'default' } });
    expect((await atOnce(400, read)).reasons).toContain('TOO_MANY_REQUESTS');
    const params = { developerId: owner.developer.id };
    expect(await owner.client.call(listSessions, { params })).toHaveLength(1);
  });

  it('an address that calls an app too often does not use up the rate of the project', async () => {
    // Earlier tests may have used up the limit of this address.
    world.pass(7000);
    const owner = await world.aDeveloper();
    const { id: projectId } = await world.aProject(owner);
    // A burst of sixty, of which one address can use fifty.
    await owner.client.call(editProject, { params: { projectId }, body: { projectCallRate: 30 } });
    const app = await anApp(owner, projectId);
    const readFrom = (address: string, count: number) => {
      const client = createClient({ baseUrl: appUrl(world, app), fetch: from(address).fetch });
      return atOnce(count, () => client.call(readAppConfig));
    };
    expect((await readFrom('192.0.2.4', 200)).reasons).toContain('TOO_MANY_REQUESTS');
    expect((await readFrom('192.0.2.5', 8)).reasons).toEqual([]);
  });
});

describe('a bucket', () => {
  const drain = (limits: Limits, nowMs: number) => {
    let taken = 0;
    try {
      for (;;) {
        limits.checkCaller(undefined, '192.0.2.1', nowMs);
        taken += 1;
      }
    } catch {
      return taken;
    }
  };

  it('refills at its rate, up to its size', () => {
    const limits = new Limits(true);
    expect(drain(limits, 0)).toBe(200);
    expect(drain(limits, 1000)).toBe(30);
    expect(drain(limits, 3_600_000)).toBe(200);
  });

  it('keeps its level and its rate when the clock is set back an hour', () => {
    const limits = new Limits(true);
    drain(limits, 3_600_000);
    expect(drain(limits, 0)).toBe(0);
    expect(drain(limits, 1000)).toBe(30);
  });

  it('is not used when limits are off', () => {
    const limits = new Limits(false);
    for (let i = 0; i < 1000; i++) limits.checkCaller(undefined, '192.0.2.1', 0);
  });
});
