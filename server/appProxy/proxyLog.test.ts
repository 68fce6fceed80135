import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readProxyRouteHttpLogEntries } from '#contract/log.ts';
import { watchProxyRoute } from '#contract/proxyRoute.ts';
import { aBackEnd, aRoute, type BackEnd } from '#test/backEnds.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { minuteMs } from '#test/world.ts';

const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
let backEnd: BackEnd;
let app: CalledApp;
let user: EndUser;

beforeAll(async () => {
  backEnd = await aBackEnd();
  app = await sharingWorld(at, { hasRoles: true });
  at.projectId = app.projectId;
  user = await anEndUser(at.world, app);
  await aRoute(at, `${backEnd.url}/base`, { sourcePath: '/echo' });
});
afterAll(() => backEnd[Symbol.asyncDispose]());
const usual = () => {
  backEnd.received.length = 0;
  backEnd.answer = (request, response) => void request.on('end', () => response.end('ok')).resume();
};
beforeEach(usual);

const projectPath = () => `/projects/${app.projectId}/appProxy`;
const call = (path: string, init?: RequestInit, by: EndUser = user) =>
  by.fetch(`${by.baseUrl}${projectPath()}${path}`, init);
/** The status, and the reason where the platform answered. */
async function outcome(response: Response | Promise<Response>): Promise<string> {
  const { status, ...rest } = await Promise.resolve(response).then(async one => ({
    status: one.status,
    text: await one.text(),
  }));
  const reason = /"reason":"(\w+)"/.exec(rest.text)?.[1];
  return reason ? `${status} ${reason}` : String(status);
}

describe('the HTTP log', () => {
  const entries = async (routeId: string) => {
    await at.world.platform.systemLog.drain();
    const now = at.world.now().getTime();
    const [begin = '', end = ''] = [now - minuteMs, now + minuteMs].map(ms => new Date(ms).toISOString());
    return at.owner.client.call(readProxyRouteHttpLogEntries, { params: { routeId }, query: { begin, end } });
  };

  it('has each call of a route with what was sent where and what came back, but no query and no body', async () => {
    const { id } = await aRoute(at, `${backEnd.url}/logged`, { sourcePath: '/logged' });
    await call('/logged/x?secret=1', { method: 'POST', body: 'secret' });
    const [entry] = await entries(id);
    expect(entry).toMatchObject({
      text: `POST ${new URL(user.baseUrl).pathname}${projectPath()}/logged/x 200`,
      actor: { callerType: 'user', id: user.id, displayName: 'Mari Kask' },
      detail: {
        ...{ route: id, sent: { url: `${backEnd.url}/logged/x` }, status: 200 },
        received: { status: 200, bytes: 2 },
      },
    });
    expect(JSON.stringify(entry)).not.toContain('secret');
  });

  it('has headers and bodies while a developer watches, cut where they are long', async () => {
    const { id } = await aRoute(at, backEnd.url, { sourcePath: '/watched' });
    await at.owner.client.call(watchProxyRoute, { params: { routeId: id }, body: {} });
    backEnd.answer = (request, response) =>
      void request.on('end', () => response.end('x'.repeat(20_000))).resume();
    await (await call('/watched/x?q=1', { method: 'POST', body: 'hello' })).text();
    const [entry] = await entries(id);
    const { sent, received } = (entry?.detail ?? {}) as Record<string, Record<string, unknown>>;
    expect(sent).toMatchObject({ url: `${backEnd.url}/x?q=1`, body: 'hello' });
    expect(JSON.stringify(sent)).not.toContain('["signature",');
    expect(received).toMatchObject({ bytes: 20_000, body: 'x'.repeat(16 * 1024), isTruncated: true });
    at.world.pass(6 * minuteMs);
    await (await call('/watched/x?q=1', { method: 'POST', body: 'hello' })).text();
    expect(JSON.stringify((await entries(id))[0])).not.toContain('hello');
  });

  it('has calls that were refused, with the reason', async () => {
    const { id } = await aRoute(at, 'http://127.0.0.1:8999', { sourcePath: '/away' });
    expect(await outcome(call('/away'))).toBe('502 PROXY_UNREACHABLE');
    expect((await entries(id))[0]?.detail).toMatchObject({
      ...{ reason: 'PROXY_UNREACHABLE', fault: 'The server refused the connection.', status: 502 },
    });
  });
});
