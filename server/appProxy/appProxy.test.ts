import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteProxyRoute, editProxyRoute } from '#contract/proxyRoute.ts';
import { aBackEnd, aRoute, type BackEnd } from '#test/backEnds.ts';
import { anEndUser, type CalledApp, type EndUser } from '#test/endUsers.ts';
import { sharingWorld } from '#test/homes.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

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
const last = () => backEnd.received.at(-1);

describe('a call', () => {
  it('reaches the target with what follows the source path, its query and its body, as they were sent', async () => {
    const body = '{"a": 1}';
    expect(await outcome(call("/echo/a%20b/c;d=e'?x=%2F&y=..", { method: 'PUT', body }))).toBe('200');
    expect(last()).toMatchObject({ method: 'PUT', url: "/base/a%20b/c;d=e'?x=%2F&y=..", body });
    await call('/echo');
    expect(last()?.url).toBe('/base');
    await call('/echo/');
    expect(last()?.url).toBe('/base/');
    await call('/echo?q');
    expect(last()?.url).toBe('/base?q');
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'can have the method %s',
    async method => {
      expect(await outcome(call('/echo/x', { method }))).toBe('200');
      expect(last()?.method).toBe(method);
    },
  );

  it('of HEAD is answered with the headers of the back end', async () => {
    backEnd.answer = (_request, response) => void response.setHeader('content-length', '1234').end();
    const response = await call('/echo/x', { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1234']);
  });

  it('says who calls, and drops what the app said about that and what is only for the platform', async () => {
    await call('/echo/x', {
      headers: {
        ...{ cookie: 'a=b', 'x-mooring-user': 'usr_forged', 'X-Mooring-Role': 'owner', x_mooring_home: '1' },
        ...{ signature: 'forged=:x:', 'signature-input': 'forged=()', 'x-forwarded-for': '10.0.0.1' },
        ...{ forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1', 'x-http-method-override': 'DELETE' },
        ...{ 'proxy-authorization': 'x', 'x-original-url': '/admin', 'x-own': 'kept', accept: 'text/x' },
      },
    });
    const { headers = {} } = last() ?? {};
    expect(Object.keys(headers).toSorted()).toEqual(
      [
        ...[
          'accept',
          'accept-encoding',
          'accept-language',
          'connection',
          'host',
          'sec-fetch-mode',
          'signature',
        ],
        ...[
          'signature-input',
          'user-agent',
          'via',
          'x-forwarded-for',
          'x-mooring-project',
          'x-mooring-request',
        ],
        ...['x-mooring-user', 'x-own'],
      ].toSorted(),
    );
    expect(headers).toMatchObject({
      ...{ host: backEnd.url.slice(7), 'x-mooring-project': app.projectId, 'x-mooring-user': user.id },
      ...{ 'x-own': 'kept', accept: 'text/x', 'x-forwarded-for': '127.0.0.1' },
      'x-mooring-request': expect.stringMatching(/^req_/),
    });
  });

  it('that came through this platform before is a loop', async () => {
    await call('/echo/x');
    const via = last()?.headers.via ?? '';
    expect(await outcome(call('/echo/x', { headers: { via } }))).toBe('508 PROXY_LOOP');
    expect(await outcome(call('/echo/x', { headers: { via: '1.1 other' } }))).toBe('200');
    expect(last()?.headers.via).toBe(`1.1 other, ${via}`);
  });

  it('is answered as the back end does, without what would hold for the whole platform', async () => {
    backEnd.answer = (_request, response) =>
      void response
        .writeHead(201, 'Made', {
          ...{ 'set-cookie': 'a=b', 'strict-transport-security': 'max-age=1', 'alt-svc': 'h2=":1"' },
          ...{
            'clear-site-data': '"*"',
            'service-worker-allowed': '/',
            'x-mine': '1',
            'content-type': 'text/html',
          },
          ...{ 'access-control-allow-origin': 'https://a.example', 'x-request-id': 'forged', nel: '{}' },
          ...{
            'content-security-policy': 'script-src *',
            connection: 'x-named',
            'x-named': '1',
            location: 'http://x/',
          },
        })
        .end('<p>');
    const response = await call('/echo/x');
    expect([response.status, await response.text()]).toEqual([201, '<p>']);
    const headers = Object.fromEntries(response.headers);
    for (const name of [
      'set-cookie',
      'strict-transport-security',
      'alt-svc',
      'clear-site-data',
      'nel',
      'x-named',
    ])
      expect(headers).not.toHaveProperty(name);
    expect(headers).not.toHaveProperty('service-worker-allowed');
    expect(headers).toMatchObject({
      ...{ 'x-mine': '1', 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' },
      ...{
        'access-control-allow-origin': '*',
        location: 'http://x/',
        'x-request-id': expect.stringMatching(/^req_/),
      },
    });
  });

  it('is not redirected: the app gets the answer', async () => {
    backEnd.answer = (_request, response) =>
      void response.writeHead(302, { location: `${backEnd.url}/next` }).end();
    expect((await call('/echo/x', { redirect: 'manual' })).status).toBe(302);
    expect(backEnd.received).toHaveLength(1);
  });

  it('is asked for by a browser of any origin, without the back end', async () => {
    const response = await fetch(`${user.baseUrl}${projectPath()}/echo/x`, {
      method: 'OPTIONS',
      headers: {
        ...{ origin: 'https://app.example', 'access-control-request-method': 'PUT' },
        'access-control-request-headers': 'authorization,x-own',
      },
    });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'authorization,x-own',
    });
    expect(backEnd.received).toEqual([]);
  });

  it.each(['/echo/..%2fx', '/echo//x', '//10.0.0.1/x', '/echo/%5cx', '/echo/%00', '/echo/..;/x'])(
    'with the path %s reaches nobody',
    async path => {
      expect(await outcome(call(path))).toBe('400 PROXY_PATH_REFUSED');
      expect(backEnd.received).toEqual([]);
    },
  );

  it('without a route is refused', async () => {
    expect(await outcome(call('/echoes'))).toBe('404 NO_PROXY_ROUTE');
    expect(await outcome(call('/ECHO'))).toBe('404 NO_PROXY_ROUTE');
    expect(await outcome(call(''))).toBe('404 NO_PROXY_ROUTE');
  });

  it('with more than a body may have is refused, said and unsaid', async () => {
    const bytes = 10 * 1024 * 1024 + 1;
    expect(await outcome(call('/echo/x', { method: 'POST', body: Buffer.alloc(bytes) }))).toBe(
      '413 TOO_LARGE',
    );
    expect(backEnd.received).toEqual([]);
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 11; i += 1) controller.enqueue(Buffer.alloc(1024 * 1024));
        controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await outcome(call('/echo/x', init))).toBe('413 TOO_LARGE');
  });

  it('goes by the route as it is now', async () => {
    const route = await aRoute(at, `${backEnd.url}/one`, { sourcePath: '/edited' });
    const params = { routeId: route.id };
    const edit = (body: object) => at.owner.client.call(editProxyRoute, { params, body });
    expect(await outcome(call('/edited/x'))).toBe('200');
    await edit({ targetUrl: `${backEnd.url}/two` });
    await call('/edited/x');
    expect(last()?.url).toBe('/two/x');
    await edit({ suspended: true });
    expect(await outcome(call('/edited/x'))).toBe('404 NO_PROXY_ROUTE');
    await edit({ suspended: false });
    expect(await outcome(call('/edited/x'))).toBe('200');
    await at.owner.client.call(deleteProxyRoute, { params });
    expect(await outcome(call('/edited/x'))).toBe('404 NO_PROXY_ROUTE');
  });
});
