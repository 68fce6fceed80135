import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { rawCall } from '#test/rawCall.ts';
import { until } from '#test/until.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();
const call = (method: string, path: string) => rawCall(fetch, [method, `${world.url}${path}`]);

/** Sends raw bytes that no client would send; resolves with everything that came back. */
function bytes(text: string): Promise<string> {
  const { port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port: Number(port), host: '127.0.0.1' }, () => socket.write(text));
    socket.on('data', chunk => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
    socket.setTimeout(30_000, () => socket.destroy(new Error('No answer.')));
  });
}
const head = (first: string, ...more: string[]) =>
  [first, 'host: localhost', 'connection: close', ...more, '', ''].join('\r\n');
function reasonIn(answer: string): [string, unknown] {
  const [top = '', body = ''] = answer.split('\r\n\r\n');
  return [top.slice(9, 12), (JSON.parse(body) as { reason: string }).reason];
}

describe('an address', () => {
  it.each([
    '/api',
    '/api/nothing',
    '/api/projects/a/b/c',
    '/nothing.php',
    '/files/x/y',
    '/api/%00',
    '/api/%c3%28',
    '/api/organizations/%',
  ])('that does not exist gets 404 with a reason: %s', async path => {
    const { status, problem } = await call('GET', path);
    expect([status, problem.reason]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it.each([
    '/api/organizations/..%2f..%2fetc',
    '/api/organizations/%2e%2e',
    '/api/organizations/default%00',
    '/app/v1/thermo%00@prj_1/config',
    '/.well-known/mooring-proxy-keys/prj_1%00',
    '/u/prj_1%00/verify',
    `/api/organizations/${'a'.repeat(150)}`,
  ])('with an impossible id gets 404: %s', async path => {
    expect((await call('GET', path)).status).toBe(404);
  });

  it.each([
    ['PUT', '/api/projects'],
    ['DELETE', '/api/organizations/default'],
    ['PATCH', '/api/auth/password'],
  ])('rejects the method %s %s', async (method, path) => {
    expect((await call(method, path)).status).toBe(405);
  });

  it('that accepts other methods lists them', async () => {
    const allowed = async (path: string) => (await call('PUT', path)).headers.get('allow');
    expect(await allowed('/api/projects')).toBe('GET, HEAD, POST, OPTIONS');
    expect(await allowed('/api/auth/password')).toBe('POST, OPTIONS');
  });

  it('answers OPTIONS without doing anything', async () => {
    const { status, text } = await call('OPTIONS', '/api/projects');
    expect([status, text]).toEqual([204, '']);
  });
});

it('a rejected upgrade leaves no connection behind, not even a half-open one', async () => {
  const socket = connect({ port: Number(new URL(world.url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  let [answer, isClosed] = ['', false];
  socket.on('data', chunk => {
    answer += chunk;
  });
  socket.on('close', () => {
    isClosed = true;
  });
  socket.write(
    'GET /nothing HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  );
  await until(() => socket.readableEnded || undefined);
  expect(answer).toContain('RESOURCE_NOT_FOUND');
  // Writing to a closed connection fails.
  await until(() => {
    socket.write('more');
    return isClosed || undefined;
  });
});

describe('a request that is not valid HTTP', () => {
  it.each(['TRACE', 'CONNECT', 'PROPFIND'])('with the method %s is refused', async method => {
    const answer = await bytes(head(`${method} /api/projects HTTP/1.1`));
    expect(answer).not.toMatch(/^HTTP\/1\.1 (2|5)/);
  });

  it('with headers of 20 KB gets 431 with a reason', async () => {
    const answer = await bytes(head('GET /api/projects HTTP/1.1', `x-long: ${'a'.repeat(20_000)}`));
    expect(reasonIn(answer)).toEqual(['431', 'HEADERS_TOO_LARGE']);
  });

  it('with a URL of 9 KB gets 414 with a reason', async () => {
    const { status, problem } = await call(
      'GET',
      `/api/organizations/?devConsoleBaseUrl=${'a'.repeat(9000)}`,
    );
    expect([status, problem.reason]).toEqual([414, 'URI_TOO_LONG']);
  });

  it.each(['nonsense', 'GET /api/projects HTTP/9.9', 'GET  HTTP/1.1'])(
    'gets 400 with a reason: %s',
    async first => {
      expect(reasonIn(await bytes(head(first)))).toEqual(['400', 'MALFORMED']);
    },
  );

  it('with two lengths, or with a length and chunks, is refused', async () => {
    const post = (...more: string[]) => bytes(`${head('POST /api/projects HTTP/1.1', ...more)}{}`);
    expect(reasonIn(await post('content-length: 2', 'content-length: 9'))[0]).toBe('400');
    expect(reasonIn(await post('content-length: 2', 'transfer-encoding: chunked'))[0]).toBe('400');
  });
});
