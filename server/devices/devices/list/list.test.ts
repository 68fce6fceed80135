import { beforeAll, describe, expect, it } from 'vitest';
import { type DeviceRow, deleteDevice, listDevices } from '#contract/device.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import type { Project } from '#contract/project.ts';
import { dayMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aBundle, someChannels } from '#test/firmware.ts';
import { aHome, inHome } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { devicesOf } from './list.ts';

const at = aProjectWorld();

/** In the order of creation. */
let made: DeviceRow[];
/** The home of some of the devices. */
let home: string;

beforeAll(async () => {
  const [a, b] = [await at.deviceClass({ id: 'a' }), await at.deviceClass({ id: 'b' })];
  const tags = ['hall-7', 'attic', 'Hall-7', '100%', 'under_score', 'back\\slash', 'Küche', 'attic', ''];
  for (const { id: deviceClass } of [a, b])
    await someChannels(at.world, { projectId: at.projectId, deviceClass }, 'beta');
  made = [];
  for (const [i, tag] of tags.entries()) {
    const given = { tag, name: `n${i % 3}`, deviceClass: (i % 2 ? b : a).id, channel: i < 3 ? 'beta' : '' };
    const { id } = await at.device(given);
    made.push({ id } as DeviceRow);
  }
  await aDevice(at.owner, (await at.world.aProject(at.owner)).id, { tag: 'hall-7' });
  const { db } = at.world.platform;
  const change = (numbers: number[]) => numbers.map(number => made[number]?.id);
  await db.run(sql`update devices set suspended = true where id = any(${change([1, 4])})`);
  home = await aHome(at.world, at.projectId);
  await inHome(at.world, home, change([2, 4, 5]));
  await aBundle(at.world, { projectId: at.projectId, deviceClass: 'a' }, {}, { id: 'bnd_1' });
  await db.run(sql`update devices set bundle_installed = 'bnd_1' where id = any(${change([0, 8])})`);
  await db.run(sql`update device_presence set seen_at = 'infinity' where device_id = any(${change([3, 4])})`);
  for (const [number, days] of [
    [0, 3],
    [1, 1],
    [2, 2],
  ] as const)
    await db.run(sql`
      update device_presence set seen_at = ${new Date(Date.now() - days * dayMs)} where device_id = ${made[number]?.id}`);
});

type Query = Omit<QueryOf<typeof listDevices>, 'projectId'>;

async function page(query: Query = {}) {
  let next: string | null = null;
  const found = await at.owner.client.call(listDevices, {
    query: { projectId: at.projectId, ...query },
    onHeaders: headers => {
      next = headers.get(nextCursorHeader);
    },
  });
  return { ...found, next: next as string | null };
}

/** The devices found, as positions in `made`. */
async function numbers(query: Query = {}): Promise<number[]> {
  const { items, total } = await page(query);
  expect(items).toHaveLength(total);
  return items.map(({ id }) => made.findIndex(one => one.id === id));
}

describe('the list of devices', () => {
  it.each<[Query, number[]]>([
    [{}, [8, 7, 6, 5, 4, 3, 2, 1, 0]],
    [{ sortBy: 'creationTime:asc' }, [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    [{ sortBy: 'tag:asc' }, [8, 3, 1, 7, 5, 0, 2, 6, 4]],
    [{ sortBy: 'name:desc' }, [8, 5, 2, 7, 4, 1, 6, 3, 0]],
    // A connected device counts as seen last, one that never connected as seen longest ago.
    [{ sortBy: 'lastSeen:desc' }, [4, 3, 1, 2, 0, 8, 7, 6, 5]],
    [{ sortBy: 'lastSeen:asc' }, [5, 6, 7, 8, 0, 2, 1, 3, 4]],
  ])('is sorted as requested, with or without a class: %j', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected);
    for (const [number, deviceClass] of ['a', 'b'].entries())
      expect(await numbers({ ...query, deviceClass })).toEqual(expected.filter(n => n % 2 === number));
  });

  it.each<[Query, number[]]>([
    [{ deviceClass: 'none' }, []],
    [{ connectionStatus: 'connected' }, [4, 3]],
    [{ connectionStatus: 'disconnected' }, [2, 1, 0]],
    [{ connectionStatus: 'never' }, [8, 7, 6, 5]],
    [{ claimed: true }, [5, 4, 2]],
    [{ claimed: false }, [8, 7, 6, 3, 1, 0]],
    [{ suspended: true }, [4, 1]],
    [{ suspended: false, claimed: true }, [5, 2]],
    [{ channel: 'beta' }, [2, 1, 0]],
    [{ channel: 'stable', claimed: true }, [5, 4]],
    [{ bundleInstalled: 'bnd_1' }, [8, 0]],
    [{ homeId: '8' }, []],
    [{ connectionStatus: 'connected', claimed: true, suspended: true, search: 'under' }, [4]],
    [{ search: 'HALL' }, [2, 0]],
    [{ search: 'kuche' }, [6]],
    [{ search: '%' }, [3]],
    [{ search: '_' }, [8, 7, 6, 5, 4, 3, 2, 1, 0]],
    [{ search: 'r_s' }, [4]],
    [{ search: '\\' }, [5]],
    [{ search: '％' }, [3]],
    [{ search: '＿' }, [8, 7, 6, 5, 4, 3, 2, 1, 0]],
    [{ search: '＼' }, [5]],
    [{ search: 'nowhere' }, []],
  ])('contains the matching devices, in every order: %j', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected);
    for (const sortBy of ['tag:asc', 'name:desc', 'lastSeen:desc'])
      expect((await numbers({ ...query, sortBy })).toSorted()).toEqual(expected.toSorted());
  });

  it('can be limited to a home', async () => {
    expect(await numbers({ homeId: home, suspended: true })).toEqual([4]);
  });

  it('finds a device by its id', async () => {
    expect(await numbers({ search: made[3]?.id ?? '' })).toEqual([3]);
  });

  it('has the same fields of a device as the device itself', async () => {
    const [row] = (await page({ search: 'under_score' })).items;
    expect(row).toEqual({
      id: made[4]?.id,
      tag: 'under_score',
      name: 'n1',
      deviceClass: 'a',
      channel: '',
      claimed: true,
      suspended: true,
      connectionStatus: 'connected',
      connection: { lastSeen: expect.any(String) },
      creationTime: expect.any(String),
      revision: 1,
    });
  });

  it.each(['creationTime', 'tag', 'name', 'lastSeen'])(
    'by %s is complete in pages by cursor and by skip, also while devices are created and deleted',
    async field => {
      for (const [deviceClass, order] of [
        ['', 'asc'],
        ['', 'desc'],
        ['a', 'desc'],
      ] as const) {
        const query = { sortBy: `${field}:${order}`, ...(deviceClass && { deviceClass }) };
        const all = (await page(query)).items.map(({ id }) => id);
        const [byCursor, bySkip]: [string[], string[]] = [[], []];
        let cursor: string | null = null;
        do {
          const { items, next, total }: Awaited<ReturnType<typeof page>> = await page({
            ...query,
            limit: 2,
            skip: byCursor.length,
            ...(cursor && { cursor }),
          });
          byCursor.push(...items.map(({ id }) => id));
          expect(total).toBeGreaterThanOrEqual(all.length);
          cursor = next;
          // A device that sorts first does not shift the following pages.
          const given = { tag: '', name: '', deviceClass: deviceClass || 'b' };
          const { id } = await at.device(given);
          await at.owner.client.call(deleteDevice, { params: { deviceId: id } });
        } while (cursor);
        for (let skip = 0; skip < all.length; skip += 2)
          bySkip.push(...(await page({ ...query, limit: 2, skip })).items.map(({ id }) => id));
        expect([byCursor, bySkip]).toEqual([all, all]);
      }
    },
  );

  it('accepts a cursor only for the order it was created for', async () => {
    const { next } = await page({ limit: 2, sortBy: 'tag:asc' });
    await failing(page({ cursor: next ?? '', sortBy: 'tag:desc' }), 'INVALID_FIELDS');
    for (const cursor of [
      'x',
      'bnVsbA',
      Buffer.from('{"order":"lastSeen:true","key":"x","id":""}').toString('base64url'),
    ])
      await failing(page({ cursor, sortBy: 'lastSeen:desc' }), 'INVALID_FIELDS');
  });

  it('rejects a page past its end, with the total in the error', async () => {
    const refused = await failing(page({ skip: 20 }), 'INVALID_RANGE');
    expect(refused.context).toEqual({ total: made.length });
    expect(refused.message).toBe('This page is past the end of the list. Request an earlier one.');
  });
});

describe('the list of many devices', () => {
  let many: Project;
  beforeAll(async () => {
    many = await at.world.aProject(at.owner);
    await aClass(at.owner, many.id, { id: 'c' });
    await someChannels(at.world, { projectId: many.id, deviceClass: 'c' }, 'beta');
    await at.world.platform.db.run(sql`
      with made as (
        insert into devices (project_id, id, device_class, tag, channel, key_hash, key_end, created_at)
        select ${many.id}, 'dev_' || lpad(n::text, 26, '0'), 'c', 'tag ' || n, case when n % 2 = 0 then 'beta' else '' end,
          '', '', now() from generate_series(1, 10500) n returning *)
      insert into device_presence (project_id, device_id, device_class) select project_id, id, device_class from made`);
  });
  it('has an exact total if the counters have it, and otherwise up to ten thousand', async () => {
    const known = (query: Query) => page({ ...query, projectId: many.id } as Query);
    const exactly = (total: number) => ({ total, totalIsLowerBound: false });
    expect(await known({})).toMatchObject(exactly(10_500));
    expect(await known({ claimed: false })).toMatchObject(exactly(10_500));
    expect(await known({ state: 'never' })).toMatchObject(exactly(10_500));
    expect(await known({ state: 'connected' })).toMatchObject(exactly(0));
    expect(await known({ channel: 'beta' })).toMatchObject(exactly(5_250));
    // More time than any step needs, even on a busy machine.
    const ample = { few: 60_000, page: 60_000, probe: 60_000, sorted: 60_000, walk: 60_000, total: 60_000 };
    const atLeast = { total: 10_000, totalIsLowerBound: true };
    expect(await listed(ample, { search: 'tag 1' })).toMatchObject(exactly(1_612));
    expect(await listed(ample, { search: 'tag' })).toMatchObject(atLeast);
    expect(await listed(ample, { suspended: false, claimed: false })).toMatchObject(atLeast);
  });

  /** As the API calls it, with other limits. */
  async function listed(limits: Parameters<typeof devicesOf>[1], query: Query & { skip?: number }) {
    const headers = new Map<string, string>();
    const { skip = 0, ...rest } = query;
    const call = {
      platform: at.world.platform,
      now: at.world.now(),
      row: { projectId: many.id },
      query: rest,
      page: { limit: 25, skip, sortBy: 'creationTime', descending: true, search: rest.search },
      setHeader: (name: string, value: string) => headers.set(name, value),
    } as unknown as Parameters<typeof devicesOf>[0];
    const { items, ...total } = await devicesOf(call, limits);
    return { ids: items.map(({ id }) => id), ...total, next: headers.get(nextCursorHeader) };
  }
  const having = async (text: string) => {
    const like = `%${text}%`;
    const rows = await at.world.platform.db.many<{ id: string }>(sql`
      select id from devices where project_id = ${many.id} and search like ${like} order by id desc`);
    return rows.map(({ id }) => id);
  };
  const noTime = { few: 0, page: 0, probe: 0, sorted: 0, walk: 0, total: 0 };

  it('answers with a short but correct page and a next cursor when time runs out', async () => {
    const found: string[] = [];
    const lengths: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { search: '99', claimed: false, skip: found.length };
      const page = await listed(noTime, { ...query, ...(cursor && { cursor }) });
      expect(page.totalIsLowerBound).toBe(true);
      found.push(...page.ids);
      lengths.push(page.ids.length);
      cursor = page.next;
      if (cursor === undefined) break;
    }
    expect(found).toEqual(await having('99'));
    expect([Math.max(...lengths), (lengths.at(-1) ?? 25) < 25]).toEqual([25, true]);
  });

  it.each([
    ['few devices match', { ...noTime, few: 60_000 }],
    ['a scan meets them at once', { ...noTime, page: 60_000, probe: 60_000 }],
    ['all matching devices are sorted', { ...noTime, sorted: 60_000 }],
    ['every device is checked', { ...noTime, walk: 60_000 }],
  ])('has the same page whether %s', async (_how, limits) => {
    const text = 'tag 5';
    const all = await having(text);
    const first = await listed(limits, { search: text });
    const second = await listed(limits, { search: text, cursor: first.next ?? '', skip: 25 });
    // A walk takes several steps to get there.
    const skipped = await listed(limits, { search: text, skip: 490 });
    const last = await listed(limits, { search: text, skip: 1_100 });
    expect([first.ids, second.ids, skipped.ids, last.ids]).toEqual([
      all.slice(0, 25),
      all.slice(25, 50),
      all.slice(490, 515),
      all.slice(1_100),
    ]);
    expect([first.next, last.next]).toEqual([expect.any(String), undefined]);
  });
});

it('the list of devices never contains a device of another project or home', async () => {
  const stranger = await at.world.aDeveloper();
  const own = await at.world.aProject(stranger);
  const listed = (query: object) => stranger.client.call(listDevices, { query });
  await failing(listed({ projectId: at.projectId }), 'NOT_A_MEMBER');
  expect((await listed({ projectId: own.id, homeId: home })).items).toEqual([]);
  for (const homeId of [home, '999999999']) await failing(listed({ homeId }), 'HOME_NOT_FOUND');
});

it('the list of a home’s devices needs no project', async () => {
  const ofHome = async (query: object) =>
    (await at.owner.client.call(listDevices, { query })).items.map(({ id }) => id);
  const expected = await ofHome({ projectId: at.projectId, homeId: home });
  expect(expected).not.toEqual([]);
  expect(await ofHome({ homeId: home, limit: 999 })).toEqual(expected);
  await failing(ofHome({}), 'PROJECT_NOT_DEFINED');
});
