import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import { readLogEntries, readProxyRouteHttpLogEntries } from '#contract/log.ts';
import {
  checkProxyReachability,
  readProxyRouteFigures,
  sendProxyCall,
  testProxyRoutes,
} from '#contract/proxyCall.ts';
import { createProxyRoute, listProxyRoutes, watchProxyRoute } from '#contract/proxyRoute.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { privateTargets } from '#server/infra/outside/addresses.ts';
import { createOutside } from '#server/infra/outside/fetchOutside.ts';
import { aBackEnd, aRoute, type BackEnd } from '#test/backEnds.ts';
import { aCertificate } from '#test/certificate.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { failing } from '#test/failing.ts';
import { aHome, inRole, sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { untilWaiting } from '#test/untilWaiting.ts';
import { aWebServer } from '#test/webServer.ts';

const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
let backEnd: BackEnd;
let app: CalledApp;
let user: EndUser;
let homeId: string;

beforeAll(async () => {
  backEnd = await aBackEnd();
  app = await sharingWorld(at, { hasRoles: true });
  at.projectId = app.projectId;
  user = await anEndUser(at.world, app);
  homeId = await aHome(at.world, app.projectId);
  await inRole(at.world, homeId, user, 'member');
});
afterAll(() => backEnd[Symbol.asyncDispose]());

type Tested = BodyOf<typeof testProxyRoutes>;
const asked = (given: Partial<Tested> = {}) => ({
  projectId: app.projectId,
  resource: 'home' as const,
  method: 'GET',
  path: '/energy/months?year=2026',
  userId: user.id,
  homeId,
  ...given,
});
const test = (given: Partial<Tested> = {}) => at.owner.client.call(testProxyRoutes, { body: asked(given) });

describe('the tester', () => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const routes: Record<string, Parameters<typeof aRoute>[2]> = {
      taken: { resource: 'home', sourcePath: '/energy' },
      root: { resource: 'home' },
      admin: { resource: 'home', sourcePath: '/energy/admin' },
      other: { resource: 'home', sourcePath: '/energy', homeIds: [7] },
      device: { resource: 'device', sourcePath: '/energy' },
      owners: { resource: 'home', sourcePath: '/owners', homeRoles: ['owner'] },
      asleep: { resource: 'home', sourcePath: '/asleep', suspended: true },
    };
    for (const [name, given] of Object.entries(routes))
      ids[name] = (await aRoute(at, `${backEnd.url}/energy`, given)).id;
  });

  it('shows which route handles a call, why each other route does not, and what would be sent', async () => {
    const headers = [
      { name: 'X-Mooring-User', value: 'usr_forged' },
      { name: 'Cookie', value: 'a=b' },
      { name: 'X-Own', value: 'kept' },
    ];
    const { routes, sent, refusal } = await test({ headers });
    expect(refusal).toBeUndefined();
    const name = (id?: string) => Object.keys(ids).find(one => ids[one] === id);
    expect(routes.map(({ routeId, verdict, text }) => `${name(routeId)} ${verdict}: ${text}`)).toEqual([
      'taken takes: This route handles the call. It has the longest matching source path.',
      'root shorter: Also matches, but is shorter.',
      'admin path: The path does not begin with it.',
      `other home: Only for home 7; this is home ${homeId}.`,
      'owners path: The path does not begin with it.',
      'asleep path: The path does not begin with it.',
      'device resource: For devices; this call is for a home.',
    ]);
    expect(sent).toMatchObject({ method: 'GET', url: `${backEnd.url}/energy/months?year=2026` });
    expect(sent?.dropped).toEqual(['authorization', 'x-mooring-user', 'cookie']);
    const values = Object.fromEntries(sent?.headers.map(({ name, value }) => [name, value]) ?? []);
    expect(values).toMatchObject({ 'x-mooring-user': user.id, 'x-mooring-role': 'member', 'x-own': 'kept' });
    expect(values.signature).toMatch(/^mooring=:.{12}…:$/);
    expect(backEnd.received).toEqual([]);
  });

  it('treats a draft as a route, in place of the route it is a draft of', async () => {
    const draft = {
      resource: 'home',
      sourcePath: '/energy/months',
      targetUrl: 'https://new.example/',
    } as const;
    const fresh = await test({ draft });
    expect(fresh.routes[0]).toMatchObject({ takes: true, sourcePath: '/energy/months' });
    expect(fresh.routes[0]).not.toHaveProperty('routeId');
    expect(fresh.sent?.url).toBe('https://new.example/?year=2026');
    expect(fresh.sent?.headers.map(({ name }) => name)).not.toContain('signature');
    const edited = await test({ draft, draftOf: ids.taken as string });
    expect(edited.routes.map(({ routeId }) => routeId)).not.toContain(ids.taken);
  });

  it.each([
    [{ path: '/owners/x' }, 'HOME_RIGHT_MISSING'],
    [{ path: '/asleep' }, 'NO_PROXY_ROUTE'],
    [{ path: '/a/../b' }, 'PROXY_PATH_REFUSED'],
    [{ homeId: '1' }, 'HOME_NOT_FOUND'],
    [{ userId: 'usr_none' }, 'USER_NOT_FOUND'],
    [{ resource: 'entity' as const, entityId: 'x:y' }, 'ENTITY_NOT_FOUND'],
  ])('shows why a call with %j would be refused', async (given, reason) => {
    expect((await test(given)).refusal?.reason).toBe(reason);
  });
});

describe('a call that is sent', () => {
  const send = (given: Partial<BodyOf<typeof sendProxyCall>> = {}) =>
    at.owner.client.call(sendProxyCall, { body: { ...asked(), path: '/sent/x?q=secret', ...given } });

  beforeAll(async () => {
    await aRoute(at, backEnd.url, { resource: 'home', sourcePath: '/sent' });
    await aRoute(at, 'http://127.0.0.1:8999', { resource: 'home', sourcePath: '/away' });
  });

  it('returns the answer, and is in the audit log without its content', async () => {
    backEnd.answer = (request, response) =>
      void request.on('end', () => response.writeHead(418, { 'x-own': '1' }).end('told')).resume();
    const headers = [{ name: 'content-type', value: 'text/plain' }];
    const answer = await send({ method: 'POST', body: 'hello', headers });
    expect(answer).toMatchObject({ status: 418, body: 'told', encoding: 'utf8', isTruncated: false });
    expect(answer.headers).toContainEqual({ name: 'x-own', value: '1' });
    const received = backEnd.received.at(-1);
    expect(received).toMatchObject({ method: 'POST', url: '/x?q=secret', body: 'hello' });
    expect(received?.headers).toMatchObject({ 'x-mooring-user': user.id, 'content-type': 'text/plain' });
    const now = at.world.now().getTime();
    const [begin = '', end = ''] = [now - minuteMs, now + minuteMs].map(ms => new Date(ms).toISOString());
    const entries = await at.owner.client.call(readLogEntries, {
      params: { projectId: app.projectId },
      query: { begin, end, action: 'sendProxyCall' },
    });
    expect(entries[0]?.text).toContain(`Call POST sent as user ${user.id}`);
    expect(JSON.stringify(entries[0])).not.toMatch(/secret|told|hello/);
  });

  it('is logged for its route as a call of the developer, also if it fails', async () => {
    const last = async (id: string) => {
      await at.world.platform.systemLog.drain();
      const now = at.world.now().getTime();
      const [begin = '', end = ''] = [now - minuteMs, now + minuteMs].map(ms => new Date(ms).toISOString());
      const params = { routeId: id };
      return at.owner.client.call(readProxyRouteHttpLogEntries, { params, query: { begin, end } });
    };
    const { id } = await aRoute(at, `${backEnd.url}/v1`, { resource: 'home', sourcePath: '/noted' });
    backEnd.answer = (request, response) => void request.on('end', () => response.end('told')).resume();
    await send({ path: '/noted/x?q=secret', method: 'POST', body: 'hello' });
    const [entry] = await last(id);
    expect(entry).toMatchObject({
      text: `POST /homes/${homeId}/appProxy/noted/x 200`,
      actor: { callerType: 'developer', id: at.owner.developer.id },
      detail: {
        asUser: user.id,
        sent: { url: `${backEnd.url}/v1/x` },
        received: { status: 200, bytes: 4 },
      },
    });
    expect(JSON.stringify(entry)).not.toMatch(/secret|told|hello/);
    await at.owner.client.call(watchProxyRoute, { params: { routeId: id }, body: {} });
    await send({ path: '/noted/x', method: 'POST', body: 'hello' });
    expect((await last(id))[0]?.detail).toMatchObject({
      sent: { body: 'hello' },
      received: { body: 'told' },
    });
    const away = await aRoute(at, 'http://127.0.0.1:8999', { resource: 'home', sourcePath: '/nobody' });
    await failing(send({ path: '/nobody' }), 'PROXY_UNREACHABLE');
    expect((await last(away.id))[0]?.detail).toMatchObject({ status: 502, reason: 'PROXY_UNREACHABLE' });
    const { calls } = await at.owner.client.call(readProxyRouteFigures, { params: { routeId: id } });
    expect(calls.count).toBe(2);
  });

  it('returns the first 64 KiB, and binary data as base64', async () => {
    backEnd.answer = (_request, response) => void response.end(Buffer.alloc(100_000, 0xff));
    const answer = await send();
    expect(answer).toMatchObject({ isTruncated: true, encoding: 'base64' });
    expect(Buffer.from(answer.body, 'base64')).toHaveLength(64 * 1024);
  });

  it('returns the cause of a failure', async () => {
    const problem = await failing(send({ path: '/away' }), 'PROXY_UNREACHABLE');
    expect(problem.context).toEqual({ fault: 'The server refused the connection.' });
    await failing(send({ homeId: '1' }), 'HOME_NOT_FOUND');
    await failing(send({ body: 'x' }), 'INVALID_FIELDS');
    await at.world.platform.db.run(sql`update users set suspended = true where id = ${user.id}`);
    await failing(send(), 'USER_SUSPENDED');
    await at.world.platform.db.run(sql`update users set suspended = false where id = ${user.id}`);
  });
});

it('figures count the calls of a route, their durations and their errors', async () => {
  const route = await aRoute(at, backEnd.url, { sourcePath: '/counted' });
  const call = async (path: string) =>
    (await user.fetch(`${user.baseUrl}/projects/${app.projectId}/appProxy/counted${path}`)).text();
  backEnd.answer = (request, response) => {
    if (request.url === '/dies') return void request.socket.destroy();
    response.writeHead(request.url === '/503' ? 503 : 404).end('x');
  };
  for (const path of ['/a', '/b', '/503', '/dies']) await call(path);
  const params = { routeId: route.id };
  const figures = await at.owner.client.call(readProxyRouteFigures, { params });
  expect(figures).toMatchObject({
    calls: { count: 4, medianMs: expect.any(Number), p95Ms: expect.any(Number) },
    failed: {
      count: 2,
      byCode: expect.arrayContaining([
        { code: '503', count: 1 },
        { code: 'PROXY_UNREACHABLE', count: 1 },
      ]),
    },
    sockets: { inUse: 0, max: 64, waiting: 0, waitingMax: 128 },
  });
  expect(figures.byHour).toHaveLength(24);
  expect(figures.byHour.reduce((sum, { calls }) => sum + calls, 0)).toBe(4);
  const { items } = await at.owner.client.call(listProxyRoutes, {
    query: { projectId: app.projectId, search: '/counted' },
  });
  expect(items[0]).toMatchObject({ calls: 4, failedCalls: 2 });
});

it('deleting a route during a flush does not lose the figures of other routes', async () => {
  const [gone, kept] = [
    await aRoute(at, backEnd.url, { sourcePath: '/gone' }),
    await aRoute(at, backEnd.url, { sourcePath: '/kept' }),
  ];
  backEnd.answer = (_request, response) => void response.end('x');
  const figures = await at.world.platform.db.tx(async tx => {
    await tx.run(sql`delete from proxy_routes where id = ${gone.id}`);
    // Counted while the deletion is uncommitted: the flush, once a second, waits for it.
    for (const path of ['gone', 'kept'])
      await (await user.fetch(`${user.baseUrl}/projects/${app.projectId}/appProxy/${path}`)).text();
    const reading = at.owner.client.call(readProxyRouteFigures, { params: { routeId: kept.id } });
    await untilWaiting(at.world, 1);
    return { reading };
  });
  expect((await figures.reading).calls.count).toBe(1);
});

describe('the reachability', () => {
  const check = (routeId: string) => at.owner.client.call(checkProxyReachability, { params: { routeId } });

  it('shows the addresses of the target, and why it cannot be reached', async () => {
    const { id } = await aRoute(at, backEnd.url, { sourcePath: '/reached' });
    expect(await check(id)).toMatchObject({
      addresses: [{ address: '127.0.0.1', isPublic: false }],
      breaker: { state: 'closed' },
    });
    expect(await check(id)).not.toHaveProperty('fault');
    const { id: away } = await aRoute(at, 'http://127.0.0.1:8999', { sourcePath: '/unreached' });
    expect((await check(away)).fault).toBe('The server refused the connection.');
  });

  it('shows the certificate even if it is not trusted, and reveals nothing about private servers', async () => {
    const certificate = aCertificate(['127.0.0.1'], { validDays: 61 });
    await using server = await aWebServer((_request, response) => void response.end(), certificate);
    const { id } = await at.owner.client.call(createProxyRoute, {
      body: {
        projectId: app.projectId,
        resource: 'project',
        sourcePath: '/tls',
        targetUrl: `https://127.0.0.1:${server.port}`,
      },
    });
    const found = await check(id);
    expect(found.certificate?.daysLeft).toBe(60);
    expect(found.fault).toMatch(/certificate/);
    const { platform } = at.world;
    const { outside } = platform;
    platform.outside = createOutside({ allowed: privateTargets([]), own: () => [] });
    const closed = await check(id);
    platform.outside = outside;
    expect(closed.addresses).toEqual([]);
    expect(closed.fault).toMatch(/public addresses/);
  });
});
