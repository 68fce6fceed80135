import { describe, expect, it } from 'vitest';
import { endSession, listSessions, logIn, readDeveloper } from '#contract/account.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { aWorld, type SignedIn, theWorld, type World } from '#test/world.ts';

const world = theWorld();

const read = ({ client, developer }: SignedIn) =>
  client.call(readDeveloper, { params: { developerId: developer.id } });

/** The same developer in another browser. */
async function elsewhere(owner: SignedIn, headers: Record<string, string> = {}): Promise<SignedIn> {
  const browser = world.visitor(headers);
  const { email, password } = owner;
  await browser.client.call(logIn, { body: { email, password, orgId: 'default' } });
  return { ...owner, ...browser };
}

async function cookieOf(other: World, url = other.url): Promise<string> {
  const { email, password } = await other.aDeveloper();
  const body = { email, password, orgId: 'default' };
  const { headers } = await rawCall(other.visitor().fetch, ['POST', `${url}/api/auth/password`], body);
  return headers.getSetCookie().find(line => /mooring=/.test(line)) ?? '';
}

describe('the cookie of a session', () => {
  it('is for this host only, and out of reach of scripts and other sites', async () => {
    const parts = (await cookieOf(world)).split('; ');
    expect(parts[0]).toMatch(/^mooring=[\w-]{43}$/);
    expect(parts.slice(1).toSorted()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax']);
  });

  it('on https is sent over https only and bound to the host by its name', async () => {
    const secure = await aWorld({ PUBLIC_URL: 'https://iot.example' });
    try {
      const cookie = await cookieOf(secure);
      expect(cookie).toMatch(/^__Host-mooring=/);
      expect(cookie.split('; ')).toContain('Secure');
      expect(cookie).not.toMatch(/domain=/i);
    } finally {
      await secure.end();
    }
  });

  it('is stored only as a hash', async () => {
    const { cookies } = await world.aDeveloper();
    const token = cookies.get('mooring') ?? '';
    const rows = await world.platform.db.many(sql`select s::text as row from sessions s`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
  });
});

describe('a session', () => {
  it('ends twelve hours after its last use', async () => {
    const owner = await world.aDeveloper();
    for (let i = 0; i < 3; i++) {
      world.pass(11 * hourMs);
      await read(owner);
    }
    world.pass(12 * hourMs + minuteMs);
    await failing(read(owner), 'NO_LOGIN');
  });

  it('ends thirty days after it began, even if it is used', async () => {
    const owner = await world.aDeveloper();
    for (let used = 0; used < 30 * dayMs - 10 * hourMs; used += 10 * hourMs) {
      world.pass(10 * hourMs);
      await read(owner);
    }
    world.pass(10 * hourMs);
    await failing(read(owner), 'NO_LOGIN');
  });
});

describe('the list of sessions', () => {
  it('has device, address and last use, and marks the current one', async () => {
    const owner = await world.aDeveloper();
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const there = await elsewhere(owner, { 'user-agent': agent });
    const list = await there.client.call(listSessions, { params: { developerId: owner.developer.id } });
    expect(list).toHaveLength(2);
    expect(list.find(({ current }) => current)).toMatchObject({
      device: 'Firefox on Linux',
      address: '127.0.0.1',
    });
    expect(list.filter(({ current }) => current)).toHaveLength(1);
  });

  it('omits expired sessions', async () => {
    const owner = await world.aDeveloper();
    await elsewhere(owner);
    world.pass(13 * hourMs);
    const there = await elsewhere(owner);
    const list = await there.client.call(listSessions, { params: { developerId: owner.developer.id } });
    expect(list).toHaveLength(1);
  });

  it('ends one session at once', async () => {
    const owner = await world.aDeveloper();
    const there = await elsewhere(owner);
    const params = { developerId: owner.developer.id };
    const [other] = (await owner.client.call(listSessions, { params })).filter(({ current }) => !current);
    await owner.client.call(endSession, { params: { ...params, sessionId: other?.id ?? '' } });
    await failing(read(there), 'NO_LOGIN');
    expect(await read(owner)).toHaveProperty('id', owner.developer.id);
  });

  it('does not end the session of another developer', async () => {
    const [owner, stranger] = [await world.aDeveloper(), await world.aDeveloper()];
    const [theirs] = await stranger.client.call(listSessions, {
      params: { developerId: stranger.developer.id },
    });
    const params = { developerId: owner.developer.id, sessionId: theirs?.id ?? '' };
    await failing(owner.client.call(endSession, { params }), 'SESSION_NOT_FOUND');
    const foreign = { ...params, developerId: stranger.developer.id };
    await failing(owner.client.call(endSession, { params: foreign }), 'DEVELOPER_NOT_FOUND');
    expect(await read(stranger)).toHaveProperty('id', stranger.developer.id);
  });
});
