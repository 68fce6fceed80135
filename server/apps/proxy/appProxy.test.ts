import { describe, expect, it } from 'vitest';
import { deleteProxyRoute, editProxyRoute } from '#contract/proxyRoute.ts';
import { aRoute } from '#test/backEnds.ts';
import { anEchoWorld, outcome } from '#test/echoWorld.ts';

const at = anEchoWorld();

describe('a call', () => {
  it('reaches the target with the path after the source path, its query and its body, exactly as sent', async () => {
    const body = '{"a": 1}';
    expect(await outcome(at.call("/echo/a%20b/c;d=e'?x=%2F&y=..", { method: 'PUT', body }))).toBe('200');
    expect(at.last()).toMatchObject({ method: 'PUT', url: "/base/a%20b/c;d=e'?x=%2F&y=..", body });
    await at.call('/echo');
    expect(at.last()?.url).toBe('/base');
    await at.call('/echo/');
    expect(at.last()?.url).toBe('/base/');
    await at.call('/echo?q');
    expect(at.last()?.url).toBe('/base?q');
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'can have the method %s',
    async method => {
      expect(await outcome(at.call('/echo/x', { method }))).toBe('200');
      expect(at.last()?.method).toBe(method);
    },
  );

  it('with the method HEAD is answered with the headers of the back end', async () => {
    at.backEnd.answer = (_request, response) => void response.setHeader('content-length', '1234').end();
    const response = await at.call('/echo/x', { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1234']);
  });

  it('says who calls, without what the app claimed about that or what is meant only for the platform', async () => {
    await at.call('/echo/x', {
      headers: {
        cookie: 'a=b',
        'x-mooring-user': 'usr_forged',
        'X-Mooring-Role': 'owner',
        x_mooring_home: '1',
        signature: 'forged=:x:',
        'signature-input': 'forged=()',
        'x-forwarded-for': '10.0.0.1',
        forwarded: 'for=10.0.0.1',
        'x-real-ip': '10.0.0.1',
        'x-http-method-override': 'DELETE',
        'cf-connecting-ip': '10.0.0.1',
        'client-ip': '10.0.0.1',
        'x-forwarded': '10.0.0.1',
        'cf-connecting-ipv6': '::1',
        'fastly-client-ip': '10.0.0.1',
        'x-cluster-client-ip': '10.0.0.1',
        'x-originating-ip': '10.0.0.1',
        'x-remote-addr': '10.0.0.1',
        'x-azure-clientip': '10.0.0.1',
        'x-envoy-external-address': '10.0.0.1',
        'x-original-forwarded-for': '10.0.0.1',
        x_client_ip: '10.0.0.1',
        'x-host': 'admin.example',
        'x-original-host': 'admin.example',
        'remote-user': 'root',
        'x-remote-user': 'root',
        'x-ssl-client-verify': 'SUCCESS',
        'client-cert': ':AAAA:',
        'x-client-cert': 'x',
        'proxy-authorization': 'x',
        'x-original-url': '/admin',
        'x-own': 'kept',
        accept: 'text/x',
      },
    });
    const { headers = {} } = at.last() ?? {};
    expect(Object.keys(headers).toSorted()).toEqual(
      [
        'accept',
        'accept-encoding',
        'accept-language',
        'connection',
        'host',
        'sec-fetch-mode',
        'signature',
        'signature-input',
        'user-agent',
        'via',
        'x-forwarded-for',
        'x-mooring-project',
        'x-mooring-request',
        'x-mooring-user',
        'x-own',
      ].toSorted(),
    );
    expect(headers).toMatchObject({
      host: at.backEnd.url.slice(7),
      'x-mooring-project': at.app.projectId,
      'x-mooring-user': at.user.id,
      'x-own': 'kept',
      accept: 'text/x',
      'x-forwarded-for': '127.0.0.1',
      'x-mooring-request': expect.stringMatching(/^req_/),
    });
  });

  it('that has already come through this platform is refused as a loop', async () => {
    await at.call('/echo/x');
    const via = at.last()?.headers.via ?? '';
    expect(await outcome(at.call('/echo/x', { headers: { via } }))).toBe('508 PROXY_LOOP');
    expect(await outcome(at.call('/echo/x', { headers: { via: '1.1 other' } }))).toBe('200');
    expect(at.last()?.headers.via).toBe(`1.1 other, ${via}`);
  });

  it('returns the answer of the back end, without headers that would affect the whole platform', async () => {
    at.backEnd.answer = (_request, response) =>
      void response
        .writeHead(201, 'Made', {
          'set-cookie': 'a=b',
          'strict-transport-security': 'max-age=1',
          'alt-svc': 'h2=":1"',
          'clear-site-data': '"*"',
          'service-worker-allowed': '/',
          refresh: '0; url=https://elsewhere.example',
          'set-login': 'logged-in',
          'speculation-rules': '"/rules"',
          'use-as-dictionary': 'match="/*"',
          'x-mine': '1',
          'content-type': 'text/html',
          'access-control-allow-origin': 'https://a.example',
          'x-request-id': 'forged',
          nel: '{}',
          'content-security-policy': 'script-src *',
          connection: 'x-named',
          'x-named': '1',
          location: 'http://x/',
        })
        .end('<p>');
    const response = await at.call('/echo/x');
    expect([response.status, await response.text()]).toEqual([201, '<p>']);
    const headers = Object.fromEntries(response.headers);
    for (const name of [
      'set-cookie',
      'strict-transport-security',
      'alt-svc',
      'clear-site-data',
      'nel',
      'x-named',
      'refresh',
      'set-login',
      'speculation-rules',
      'use-as-dictionary',
    ])
      expect(headers).not.toHaveProperty(name);
    expect(headers).not.toHaveProperty('service-worker-allowed');
    expect(headers).toMatchObject({
      'x-mine': '1',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      location: 'http://x/',
      'x-request-id': expect.stringMatching(/^req_/),
    });
  });

  it('does not follow redirects: the app gets the answer', async () => {
    at.backEnd.answer = (_request, response) =>
      void response.writeHead(302, { location: `${at.backEnd.url}/next` }).end();
    expect((await at.call('/echo/x', { redirect: 'manual' })).status).toBe(302);
    expect(at.backEnd.received).toHaveLength(1);
  });

  it('has its preflight answered for any origin, without the back end', async () => {
    const response = await fetch(`${at.user.baseUrl}${at.projectPath()}/echo/x`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,x-own',
      },
    });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'authorization,x-own',
    });
    expect(at.backEnd.received).toEqual([]);
  });

  it.each(['/echo/..%2fx', '/echo//x', '//10.0.0.1/x', '/echo/%5cx', '/echo/%00', '/echo/..;/x'])(
    'with the path %s reaches no back end',
    async path => {
      expect(await outcome(at.call(path))).toBe('400 PROXY_PATH_REFUSED');
      expect(at.backEnd.received).toEqual([]);
    },
  );

  it('without a route is refused', async () => {
    expect(await outcome(at.call('/echoes'))).toBe('404 NO_PROXY_ROUTE');
    expect(await outcome(at.call('/ECHO'))).toBe('404 NO_PROXY_ROUTE');
    expect(await outcome(at.call(''))).toBe('404 NO_PROXY_ROUTE');
  });

  it('with a body beyond the limit is refused, with and without a declared length', async () => {
    const bytes = 10 * 1024 * 1024 + 1;
    expect(await outcome(at.call('/echo/x', { method: 'POST', body: Buffer.alloc(bytes) }))).toBe(
      '413 TOO_LARGE',
    );
    expect(at.backEnd.received).toEqual([]);
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 11; i += 1) controller.enqueue(Buffer.alloc(1024 * 1024));
        controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await outcome(at.call('/echo/x', init))).toBe('413 TOO_LARGE');
  });

  it('uses the route as it is now', async () => {
    const route = await aRoute(at, `${at.backEnd.url}/one`, { sourcePath: '/edited' });
    const params = { routeId: route.id };
    const edit = (body: object) => at.owner.client.call(editProxyRoute, { params, body });
    expect(await outcome(at.call('/edited/x'))).toBe('200');
    await edit({ targetUrl: `${at.backEnd.url}/two` });
    await at.call('/edited/x');
    expect(at.last()?.url).toBe('/two/x');
    await edit({ suspended: true });
    expect(await outcome(at.call('/edited/x'))).toBe('404 NO_PROXY_ROUTE');
    await edit({ suspended: false });
    expect(await outcome(at.call('/edited/x'))).toBe('200');
    await at.owner.client.call(deleteProxyRoute, { params });
    expect(await outcome(at.call('/edited/x'))).toBe('404 NO_PROXY_ROUTE');
  });
});
