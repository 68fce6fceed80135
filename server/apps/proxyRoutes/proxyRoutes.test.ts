import { describe, expect, it } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import { readLogEntries } from '#contract/log.ts';
import {
  createProxyRoute,
  deleteProxyRoute,
  editProxyRoute,
  endPreviousSigningKey,
  listProxyRoutes,
  proxyRoutesMax,
  readProxyRoute,
  readSigningKey,
  rotateSigningKey,
  unwatchProxyRoute,
  watchProxyRoute,
} from '#contract/proxyRoute.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });

const target = 'http://127.0.0.1:8999/base';
type Given = BodyOf<typeof createProxyRoute>;
const create = (given: Partial<Given> = {}) =>
  at.owner.client.call(createProxyRoute, {
    body: { projectId: at.projectId, resource: 'home', sourcePath: '/energy', targetUrl: target, ...given },
  });
const params = ({ id }: { id: string }) => ({ params: { routeId: id } });

describe('a proxy route', () => {
  it('by default signs calls, refuses guests and WebSockets, and is for all homes', async () => {
    const route = await create();
    expect(route).toMatchObject({
      resource: 'home',
      sourcePath: '/energy',
      targetUrl: target,
      description: '',
      suspended: false,
      homeIds: [],
      deviceClasses: [],
      entityClasses: [],
      entityIds: [],
      homeRoles: ['member', 'admin', 'owner'],
      webSocket: false,
      createdBy: 'Ada Lovelace',
      signing: { algorithm: 'hmac-sha256', keyId: expect.stringMatching(/^prk_/) },
    });
    expect(await at.owner.client.call(readProxyRoute, params(route))).toEqual(route);
  });

  it('is listed by resource, found by its path, and not found once deleted', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const list = (more: object = {}) =>
      at.owner.client
        .call(listProxyRoutes, { query: { projectId, ...more } })
        .then(({ items }) => items.map(({ sourcePath }) => sourcePath));
    const one = await create({ projectId, sourcePath: '/one' });
    await create({ projectId, sourcePath: '/two', resource: 'user' });
    expect(await list()).toEqual(['/one', '/two']);
    expect(await list({ sortBy: 'sourcePath:desc' })).toEqual(['/two', '/one']);
    expect(await list({ resource: 'user' })).toEqual(['/two']);
    expect(await list({ search: '/on' })).toEqual(['/one']);
    await at.owner.client.call(deleteProxyRoute, params(one));
    expect(await list()).toEqual(['/two']);
    await failing(at.owner.client.call(readProxyRoute, params(one)), 'PROXY_ROUTE_NOT_FOUND');
  });

  it('is refused if the project has the maximum number', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    await at.world.platform.db.run(sql`
      insert into proxy_routes
        (project_id, id, resource, source_path, target_url, home_roles, algorithm, key_id, key_sealed, key_created_at,
         created_at, created_by)
      select ${projectId}, 'prx_full_' || n, 'home', '/' || n, ${target}, '{owner}', 'hmac-sha256', 'prk_' || n, '', now(),
        now(), ''
      from generate_series(1, ${proxyRoutesMax}) n`);
    await failing(create({ projectId }), 'TOO_MANY_PROXY_ROUTES');
  });

  it('can be changed in all fields, and duplicates in lists are removed', async () => {
    const route = await create();
    const body: BodyOf<typeof editProxyRoute> = {
      resource: 'entity',
      sourcePath: '/',
      targetUrl: 'http://127.0.0.1:8999/',
      description: 'd',
      suspended: true,
      entityClasses: ['lamp', 'lamp'],
      entityIds: ['dev_1:lamp-1'],
      webSocket: true,
      homeRoles: ['owner', 'guest'],
    };
    const changed = await at.owner.client.call(editProxyRoute, { ...params(route), body });
    expect(changed).toMatchObject({ ...body, entityClasses: ['lamp'], targetUrl: 'http://127.0.0.1:8999' });
  });

  it.each([
    [{ resource: 'home', deviceClasses: ['lamp'] }, 'deviceClasses'],
    [{ resource: 'device', homeIds: [1001] }, 'homeIds'],
    [{ resource: 'device', entityClasses: ['lamp'] }, 'entityClasses'],
    [{ resource: 'project', entityIds: ['dev_1:lamp'] }, 'entityIds'],
  ] satisfies [Partial<Given>, string][])(
    'with %j is refused, because the filter would have no effect',
    async (given, field) => {
      const problem = await failing(create(given), 'PROXY_FILTER_UNFIT');
      expect(problem.fields).toEqual({ [field]: 'PROXY_FILTER_UNFIT' });
    },
  );

  it('cannot change its resource while it has a filter of the old one', async () => {
    const route = await create({ homeIds: [1001] });
    const edit = (body: BodyOf<typeof editProxyRoute>) =>
      at.owner.client.call(editProxyRoute, { ...params(route), body });
    await failing(edit({ resource: 'user' }), 'PROXY_FILTER_UNFIT');
    expect(await edit({ resource: 'user', homeIds: [] })).toMatchObject({ resource: 'user', homeIds: [] });
  });

  it.each([
    'https://10.0.0.1',
    'https://[::ffff:127.0.0.2]',
    'https://localhost',
    'http://127.1.1.1:8000',
    'https://u@127.0.0.1',
    'ftp://127.0.0.1',
    'http://127.0.0.1:8999/a?b',
    'http://127.0.0.1:8999/#a',
    'http://127.0.0.1:22',
  ])('to %s is refused', async targetUrl => {
    const problem = await failing(create({ targetUrl }), 'ADDRESS_REFUSED');
    expect(problem.fields).toEqual({ targetUrl: 'ADDRESS_REFUSED' });
  });

  it.each([
    { sourcePath: 'energy' },
    { sourcePath: '/energy/' },
    { sourcePath: '/../a' },
    { homeIds: [1.5] },
    { homeIds: ['1001'] },
    { homeRoles: [] },
    { entityIds: ['lamp'] },
    { resource: 'planet' },
  ])('with %j is refused with the name of the field', async given => {
    const problem = await failing(create(given as Partial<Given>), 'INVALID_FIELDS');
    expect(Object.keys(problem.fields ?? {})[0]).toMatch(new RegExp(`^${Object.keys(given)[0]}`));
  });
});

describe('the signing key', () => {
  const key = (route: { id: string }) => at.owner.client.call(readSigningKey, params(route));

  it('is returned by a call that is in the audit log, and is stored sealed', async () => {
    const route = await create({ sourcePath: '/shown' });
    const { secret = '' } = await key(route);
    expect(secret).toMatch(/^[\w-]{43}$/);
    const now = at.world.now().getTime();
    const [begin, end] = [now - minuteMs, now + minuteMs].map(ms => new Date(ms).toISOString());
    const entries = await at.owner.client.call(readLogEntries, {
      params: { projectId: at.projectId },
      query: { begin: begin ?? '', end: end ?? '', action: 'readSigningKey' },
    });
    expect(entries[0]?.text).toBe('Signing key of proxy route /shown shown');
    const stored = await at.world.platform.db.one<{ text: string }>(sql`
      select to_jsonb(r)::text || encode(key_sealed, 'escape') as text from proxy_routes r where id = ${route.id}`);
    expect(stored?.text).not.toContain(secret);
  });

  it('is used together with the previous one after a rotation, until that one expires or is ended', async () => {
    const route = await create();
    const before = await key(route);
    const rotate = (body: BodyOf<typeof rotateSigningKey>) =>
      at.owner.client.call(rotateSigningKey, { ...params(route), body });
    const { signing } = await rotate({ graceS: 600, algorithm: 'ed25519' });
    expect(signing).toMatchObject({ algorithm: 'ed25519', previous: { keyId: before.keyId } });
    const after = await key(route);
    expect(after.publicKey).toContain('BEGIN PUBLIC KEY');
    expect(after.previous).toMatchObject({ keyId: before.keyId, secret: before.secret });
    at.world.pass(600_000);
    expect(await key(route)).not.toHaveProperty('previous');
    await failing(at.owner.client.call(endPreviousSigningKey, params(route)), 'NO_PREVIOUS_SECRET');
    expect((await rotate({})).signing.previous).toBeDefined();
    await at.owner.client.call(endPreviousSigningKey, params(route));
    expect(await key(route)).not.toHaveProperty('previous');
  });
});

it('bodies are recorded for a limited time, five minutes by default', async () => {
  const route = await create();
  const { watchedUntil } = await at.owner.client.call(watchProxyRoute, { ...params(route), body: {} });
  expect(new Date(watchedUntil ?? 0).getTime() - at.world.now().getTime()).toBeLessThan(5 * minuteMs + 1);
  expect(await at.owner.client.call(unwatchProxyRoute, params(route))).not.toHaveProperty('watchedUntil');
  const body = { minutes: 60 };
  await at.owner.client.call(watchProxyRoute, { ...params(route), body });
  at.world.pass(dayMs / 24);
  expect(await at.owner.client.call(readProxyRoute, params(route))).not.toHaveProperty('watchedUntil');
});
