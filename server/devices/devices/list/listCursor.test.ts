import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDevices } from '#contract/device.ts';
import type { Project } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass, aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aWorld, type SignedIn, type World } from '#test/world.ts';

let world: World;
let owner: SignedIn;
let project: Project;
beforeAll(async () => {
  world = await aWorld();
  owner = await world.aDeveloper();
  project = await world.aProject(owner);
});
afterAll(() => world.end());

const page = (more: object) =>
  owner.client.call(listDevices, { query: { projectId: project.id, sortBy: 'lastSeen:desc', ...more } });

/** The devices of a class in pages of one, each found by the cursor of the previous page. */
async function oneByOne(query: object): Promise<string[]> {
  const met: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await page({ ...query, limit: 1, ...(cursor && { cursor }) });
    met.push(...items.map(({ id }) => id));
    if (!nextCursor) return met;
    cursor = nextCursor;
  }
}

it.each(['name', 'tag'])(
  'devices sorted by %s are in alphabetical order, ignoring case and accents',
  async by => {
    const { id: deviceClass } = await aClass(owner, project.id);
    // As long as allowed: of the letter that normalizes to the most characters, and of one with the most bytes.
    const last = ['ﷺ'.repeat(100), `${'ﷺ'.repeat(99)}ﷻ`, '😀'.repeat(by === 'name' ? 100 : 50)];
    const texts = ['', '10-a', 'attic', 'Ätzend', 'Cellar', 'élan', 'Elbe', 'zoo', ...last];
    const ids = new Map<string, string>();
    for (const text of texts.toSorted()) {
      const { id } = await aDevice(owner, project.id, { deviceClass, tag: 'x', [by]: text });
      ids.set(text, id);
    }
    const expected = texts.map(text => ids.get(text));
    const found = await oneByOne({ deviceClass, sortBy: `${by}:asc` });
    expect(found.slice(0, -3)).toEqual(expected.slice(0, -3));
    expect(new Set(found)).toEqual(new Set(expected));
    expect(await oneByOne({ deviceClass, sortBy: `${by}:desc` })).toEqual(found.toReversed());
  },
);

describe('a cursor in a list sorted by time', () => {
  it('passes through devices that were seen, are connected, and never connected', async () => {
    const { id: deviceClass } = await aClass(owner, project.id);
    const ids: string[] = [];
    for (const seen of [null, '2026-02-28 23:59:59.999+00', '2026-03-01 00:00:00.5+05:30', 'infinity']) {
      const { id } = await aDevice(owner, project.id, { deviceClass });
      ids.unshift(id);
      await world.platform.db.run(sql`
        update device_presence set seen_at = ${seen}::timestamptz where device_id = ${id}`);
    }
    const met = await oneByOne({ deviceClass });
    expect(met).toEqual([ids[0], ids[2], ids[1], ids[3]]);
  });

  it.each([
    '2026-99-99 00:00:00',
    '2026-99-99 00:00:00+00',
    '2026-02-30 00:00:00+00',
    '2026-02-28 24:00:01+00',
    '2026-02-28 23:59:60+00',
    '0000-01-01 00:00:00+00',
    '2026-02-28 00:00:00+99',
    '2026-02-28 00:00:00.1234567+00',
    '2026-11-20+-::..',
    'now',
  ])('is rejected with the time %s', async key => {
    const place = { order: 'lastSeen:true', key, id: 'dev_x' };
    const cursor = Buffer.from(JSON.stringify(place)).toString('base64url');
    const refused = await failing(page({ cursor }), 'INVALID_FIELDS');
    expect(refused.fields).toEqual({ cursor: 'INVALID' });
  });
});
