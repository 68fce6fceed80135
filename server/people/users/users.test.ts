import { beforeAll, describe, expect, it } from 'vitest';
import type { QueryOf } from '#contract/endpoint.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import { readStats } from '#contract/stats.ts';
import { listUsers, readUser, readUserCounts } from '#contract/user.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aHome, inHome } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

/** In order of creation. */
const ids: string[] = [];
let home: string;

beforeAll(async () => {
  const { db, newId } = at.world.platform;
  const now = at.world.now();
  // Ids contain no i, l, o or u, so that a search for a name does not match an id.
  const names = ['Zoë', 'ali', 'Ali', '', 'Björn', '100%'];
  for (const [n, name] of names.entries()) {
    const id = newId('usr');
    ids.push(id);
    const seen = n < 3 ? new Date(now.getTime() - n * dayMs) : null;
    await db.run(sql`
      insert into users (project_id, id, email, name, external_id, password_hash, password_set_at, verified_at, suspended,
        last_seen_at, created_at)
      values (${at.projectId}, ${id}, ${n === 5 ? null : `u${n}@example.com`}, ${name}, ${n === 5 ? 'crm-5' : null},
        ${n < 2 ? 'hash' : null}, ${n < 2 ? now : null}, ${n < 3 ? now : null}, ${n === 2}, ${seen}, ${now})`);
  }
  await db.run(sql`
    insert into user_auth_methods (project_id, id, label, protocol, issuer, client_id, client_secret, created_at)
    values (${at.projectId}, 'uam_users', 'Acme', 'oidc', 'https://127.0.0.1', 'client', '', now())`);
  await db.run(sql`
    insert into user_identities (project_id, method_id, issuer, sub, user_id, linked_at)
    values (${at.projectId}, 'uam_users', 'https://127.0.0.1', 's', ${ids[2]}, now())`);
  home = await aHome(at.world, at.projectId);
  const cabin = await aHome(at.world, at.projectId);
  // Their owners are not among the users of these tests.
  await db.run(sql`
    insert into home_members (project_id, home_id, user_id, role, joined_at) values
      (${at.projectId}, ${home}, ${ids[0]}, 'admin', now()), (${at.projectId}, ${cabin}, ${ids[0]}, 'guest', now())`);
  const devices = [await at.device(), await at.device(), await at.device()];
  await inHome(at.world, home, [devices[0]?.id, devices[1]?.id]);
  await inHome(at.world, cabin, [devices[2]?.id]);
});

const owners = 2;

async function page(query: Omit<QueryOf<typeof listUsers>, 'projectId'> = {}) {
  let next: string | null = null;
  const found = await at.owner.client.call(listUsers, {
    query: { projectId: at.projectId, ...query },
    onHeaders: headers => {
      next = headers.get(nextCursorHeader);
    },
  });
  return { ...found, next: next as string | null };
}

/** The users found, by order of creation. */
const numbers = async (query: Parameters<typeof page>[0] = {}) =>
  (await page(query)).items.map(({ id }) => ids.indexOf(id)).filter(n => n !== -1);

describe('the list of users', () => {
  it.each<[Parameters<typeof page>[0], number[]]>([
    // Sorted by name: empty names first, without regard to capitals and accents.
    [{ sortBy: 'name:asc' }, [3, 5, 1, 2, 4, 0]],
    [{ sortBy: 'name:desc' }, [0, 4, 2, 1, 5, 3]],
    [{ sortBy: 'createdAt:asc' }, [0, 1, 2, 3, 4, 5]],
    [{ sortBy: 'lastSeenAt:desc', limit: 3 }, [0, 1, 2]],
    [{ state: 'active' }, [5, 1, 0]],
    [{ state: 'unverified' }, [3, 4]],
    [{ state: 'suspended' }, [2]],
    [{ signsInWith: 'password' }, [1, 0]],
    [{ signsInWith: 'byou' }, [5]],
    [{ signsInWith: 'uam_users' }, [2]],
    [{ signsInWith: 'password', state: 'suspended' }, []],
    [{ search: 'ALI' }, [1, 2]],
    [{ search: 'bjorn' }, [4]],
    [{ search: 'u3@example' }, [3]],
    [{ search: 'crm-5' }, [5]],
    [{ search: '100%' }, [5]],
    [{ search: 'ali', state: 'suspended' }, [2]],
  ])('finds and sorts by %j', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected);
  });

  it('finds a user by id', async () => {
    expect(await numbers({ search: ids[4] ?? '' })).toEqual([4]);
  });

  it.each(['name:asc', 'name:desc', 'createdAt:desc', 'lastSeenAt:asc'])(
    'by %s is complete in pages by cursor, with its total',
    async sortBy => {
      const all = (await page({ sortBy })).items.map(({ id }) => id);
      const found: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const asked = { sortBy, limit: 3, skip: found.length, ...(cursor !== null && { cursor }) };
        const { items, total, next } = await page(asked);
        found.push(...items.map(({ id }) => id));
        expect(total).toBe(ids.length + owners);
        cursor = next;
        if (cursor === null) break;
      }
      expect(found).toEqual(all);
    },
  );

  it('shows the homes, devices and sign-in methods of each user', async () => {
    const [zoe] = (await page({ search: 'zoe' })).items;
    expect(zoe).toMatchObject({
      email: 'u0@example.com',
      state: 'active',
      homeCount: 2,
      // The device of the other home is not listed for this guest.
      deviceCount: 2,
      signsInWith: ['password'],
    });
    expect(zoe?.homes.map(({ id, role }) => [id === home, role])).toEqual([
      [true, 'admin'],
      [false, 'guest'],
    ]);
    const [third] = (await page({ state: 'suspended' })).items;
    expect(third).toMatchObject({ homes: [], homeCount: 0, deviceCount: 0, signsInWith: ['uam_users'] });
  });

  it('is only for members of the project', async () => {
    const stranger = await at.world.aDeveloper();
    const asked = stranger.client.call(listUsers, { query: { projectId: at.projectId } });
    await failing(asked, 'NOT_A_MEMBER');
    await failing(stranger.client.call(readUser, { params: { userId: ids[0] ?? '' } }), 'USER_NOT_FOUND');
  });
});

it('users are counted by state, exactly after every change', async () => {
  const { db, newId } = at.world.platform;
  const projectId = (await at.world.aProject(at.owner)).id;
  const counts = () => at.owner.client.call(readUserCounts, { params: { projectId } });
  expect(await counts()).toEqual({ active: 0, unverified: 0, suspended: 0 });
  const made = Array.from({ length: 6 }, () => newId('usr'));
  await db.run(sql`
    insert into users (project_id, id, email, created_at) select ${projectId}, id, id || '@example.com', now()
    from unnest(${made}::text[]) id`);
  expect(await counts()).toEqual({ active: 0, unverified: 6, suspended: 0 });
  await db.run(sql`update users set verified_at = now() where id = any(${made.slice(0, 3)})`);
  await db.run(sql`update users set suspended = true where id = any(${made.slice(2, 5)})`);
  expect(await counts()).toEqual({ active: 2, unverified: 1, suspended: 3 });
  await db.run(sql`delete from users where id = any(${made.slice(1, 3)})`);
  expect(await counts()).toEqual({ active: 1, unverified: 1, suspended: 2 });
  expect((await at.owner.client.call(readStats, { params: { projectId } })).users).toBe(4);
});

it('a user is read with sign-in methods, and with the expiry of the password if the project has one', async () => {
  const read = (n: number) => at.owner.client.call(readUser, { params: { userId: ids[n] ?? '' } });
  const [zoe, third] = [await read(0), await read(2)];
  expect(zoe).toMatchObject({ projectId: at.projectId, methods: [], failedSignIns: 0 });
  expect(zoe.password?.expiresAt).toBeUndefined();
  expect(third.methods).toEqual([
    { methodId: 'uam_users', label: 'Acme', linkedAt: expect.stringMatching(/Z$/) },
  ]);
  await at.world.platform.db.run(sql`
    update projects set user_password_policy = '{"maxAge": 30}' where id = ${at.projectId}`);
  const { setAt = '', expiresAt = '' } = (await read(0)).password ?? {};
  expect(Date.parse(expiresAt) - Date.parse(setAt)).toBe(30 * dayMs);
});
