import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/all.ts';
import { appEndpoints } from '#contract/appApi/all.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import { join, raw, sql } from '#server/infra/db/sql.ts';
import { appUrl, signedIn } from '../endUsers.ts';
import { aProjectWorld } from '../projectWorld.ts';
import { matrixRows } from './matrixRows.ts';

/** Every list that sorts by what people call its items; generated, so that a new one cannot be forgotten. */
const at = aProjectWorld();
let ids: Record<string, string>;
let accessToken: string;

/** The fields that hold a name, or an id or a path that its author chose. */
const chosen = ['name', 'label', 'tag', 'id', 'key', 'sourcePath'];
const listsOf = (api: 'developer' | 'app', all: typeof endpoints | typeof appEndpoints) =>
  all.flatMap(endpoint =>
    (endpoint.list?.sortBy ?? [])
      .filter(field => chosen.includes(field))
      .map(field => [`${endpoint.name} by ${field}`, { api, endpoint, field }] as const),
  );
const lists = [...listsOf('developer', endpoints), ...listsOf('app', appEndpoints)];

/** In none of the orders that a list may have by accident. */
const numbers = [10, 1, 2, 100];

beforeAll(async () => {
  ids = await matrixRows(at.world, at.projectId, at.owner);
  for (const n of numbers) {
    await at.world.aProject(at.owner, `Room ${n}`);
    await copyOfEach(n);
  }
  const { db } = at.world.platform;
  await db.run(sql`
    insert into home_members (project_id, home_id, user_id, role, joined_at)
    select project_id, id, ${ids.userId}, 'owner', now() from homes where name like 'Room %'`);
  const app = { id: ids.appId ?? '', projectId: at.projectId };
  accessToken = (await signedIn(at.world, app, ids.userId ?? '')).accessToken;
});

/** Copies the row of each noun, under a name with this number. */
async function copyOfEach(n: number): Promise<void> {
  const [name, id] = [`Room ${n}`, `room-${n}`];
  await copy('device_classes', { id: ids.classId }, { id });
  const home_id = ids.homeId;
  const tag = name;
  await copy('devices', { id: ids.deviceId }, { id: `dev_${n}`, name, tag, home_id, owned_since: 'now' });
  await copy('device_presence', { device_id: ids.deviceId }, { device_id: `dev_${n}` });
  await copy('components', { id: ids.componentId }, { id: `cmp_${n}`, name });
  await copy('component_versions', { id: ids.versionId }, { id: `ver_${n}`, name });
  await copy('bundles', { id: ids.bundleId }, { id: `bnd_${n}`, name });
  await copy('channels', { id: ids.channelId }, { id: `chn_${n}`, name });
  await copy('device_views', { id: ids.viewId }, { id: `dvw_${n}`, name });
  await copy('user_auth_methods', { id: ids.methodId }, { id: `uam_${n}`, label: name });
  await copy('apps', { id: ids.appId }, { id });
  await copy('keys', { id: ids.keyId }, { id: `key_${n}`, name, secret_hash: id });
  await copy(
    'proxy_routes',
    { id: ids.routeId },
    { id: `prx_${n}`, key_id: `prk_${n}`, source_path: `/${id}` },
  );
  await copy('smart_modules', { id: ids.moduleId }, { id });
  await copy('users', { id: ids.userId }, { id: `usr_${n}`, name });
  await copy('home_members', { home_id, user_id: ids.userId }, { user_id: `usr_${n}`, role: 'guest' });
  const owner = at.owner.developer.id;
  await copy('homes', { id: home_id }, { id: String(9_000_000 + n), name });
  await copy('developers', { id: owner }, { id: `dvl_${n}`, name, email: `${id}@example.com` });
  await copy(
    'project_members',
    { project_id: at.projectId, developer_id: owner },
    { developer_id: `dvl_${n}`, role: 'viewer' },
  );
  const { db } = at.world.platform;
  await db.run(sql`
    insert into device_class_kv (project_id, device_class, key, value, updated_at)
    values (${at.projectId}, ${ids.classId}, ${id}, '1', now())`);
  await db.run(sql`
    insert into device_kv (project_id, device_id, key, value, updated_at)
    values (${at.projectId}, ${ids.deviceId}, ${id}, '1', now())`);
}

/** Copies a row, with these values in place of its own. */
async function copy(table: string, of: Row, instead: Row): Promise<void> {
  const { db } = at.world.platform;
  const columns = await db.many<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`);
  const names = columns.map(({ name }) => name);
  const values = names.map(name => (name in instead ? sql`${instead[name]}` : raw(name)));
  const isIt = Object.entries(of).map(([column, value]) => sql`${raw(column)} = ${value}`);
  const count = await db.run(sql`
    insert into ${raw(table)} (${raw(names.join(', '))}) overriding system value
    select ${join(values)} from ${raw(table)} where ${join(isIt, ' and ')}`);
  expect(count, table).toBe(1);
}

type Row = Readonly<Record<string, string | undefined>>;

it.each(lists)('%s: Room 2 comes before Room 10, page by page', async (_, list) => {
  expect(await numbersIn(list, 'asc')).toEqual([1, 2, 10, 100]);
  expect(await numbersIn(list, 'desc')).toEqual([100, 10, 2, 1]);
});

/** The numbers of the rooms in the order of the list, which is read in pages of three. */
async function numbersIn(
  { api, endpoint, field }: (typeof lists)[number][1],
  direction: string,
): Promise<number[]> {
  const app = { id: ids.appId ?? '', projectId: at.projectId };
  const base = api === 'app' ? appUrl(at.world, app) : `${at.world.url}/api`;
  const url = new URL(base + endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none'));
  for (const owner of ['projectId', 'componentId'])
    if (endpoint.query instanceof z.ZodObject && owner in endpoint.query.shape)
      url.searchParams.set(owner, ids[owner] ?? '');
  url.searchParams.set('sortBy', `${field}:${direction}`);
  url.searchParams.set('limit', '3');
  const headers = { 'x-console-guard': '1', authorization: `Bearer ${accessToken}` };
  const found: number[] = [];
  for (let skip = 0; ; skip += 3) {
    url.searchParams.set('skip', String(skip));
    const answer = await (api === 'app' ? fetch(url, { headers }) : at.owner.fetch(url, { headers }));
    const items = (await answer.json()) as Record<string, string>[];
    expect(answer.status, JSON.stringify(items)).toBe(200);
    for (const item of items) {
      const number = /^(?:room.|\/room.|dev_)(\d+)$/i.exec(item[field] ?? item.deviceId ?? '')?.[1];
      if (number !== undefined) found.push(Number(number));
    }
    if (items.length < 3) return found;
    const cursor = answer.headers.get(nextCursorHeader);
    if (cursor !== null) url.searchParams.set('cursor', cursor);
  }
}
