import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anApp } from '#test/apps.ts';
import { aBackEnd, aRoute, type BackEnd } from '#test/backEnds.ts';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

/** Request smuggling and path confusion. Requests are sent as raw bytes, because no client sends them. */
const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.2' });
let backEnd: BackEnd;
let user: EndUser;

beforeAll(async () => {
  user = await anEndUser(at.world, await anApp(at.owner, at.projectId));
  backEnd = await aBackEnd(undefined, '127.0.0.2');
  await aRoute(at, `${backEnd.url}/base`, { sourcePath: '/raw' });
});
afterAll(() => backEnd[Symbol.asyncDispose]());
/** Requests that arrived but were not sent on purpose, including late ones from an earlier test. */
const strange = () => backEnd.received.filter(({ url }) => !/^\/base\/one\d+$/.test(url));
let sent = 0;

/** Sends bytes, and returns the answer once the connection is closed or has been silent for this time. */
function sendRaw(bytes: string, silentMs = 20_000): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(Number(new URL(at.world.url).port), '127.0.0.1');
    let text = '';
    const end = () => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1');
    });
    socket.setTimeout(silentMs, end).on('error', end).once('close', end);
    socket.write(bytes, 'latin1');
  });
}

describe('a request that hides a second one', () => {
  const pathname = () => `${new URL(user.baseUrl).pathname}/projects/${at.projectId}/appProxy/raw`;
  const head = (method: string, path: string, ...lines: string[]) =>
    [
      `${method} ${path} HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${user.tokens.accessToken}`,
      ...lines,
      '',
      '',
    ].join('\r\n');
  const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
  const chunked = `0\r\n\r\n${smuggled}`;

  it.each([
    [['content-length: 6', 'transfer-encoding: chunked'], chunked],
    [['transfer-encoding: chunked', `content-length: ${chunked.length}`], chunked],
    [['content-length: 0', `content-length: ${smuggled.length}`], smuggled],
    [[`content-length: ${smuggled.length}, 0`], smuggled],
    [['content-length: +5'], smuggled],
    [['content-length : 0'], smuggled],
    [['transfer-encoding: xchunked'], chunked],
    [['transfer-encoding: chunked, identity'], chunked],
    [['transfer-encoding:\x0bchunked'], chunked],
    [['transfer-encoding: chunked', 'transfer-encoding: cow'], chunked],
    [['x: y\rtransfer-encoding: chunked'], chunked],
    [['x: y\ncontent-length: 0'], smuggled],
    [['transfer-encoding: chunked'], `1;a=\n\r\na\r\n${chunked}`],
    [['transfer-encoding: chunked'], `-1\r\na\r\n${chunked}`],
    [['transfer-encoding: chunked'], `fffffffffffffffff\r\na\r\n${chunked}`],
    [['connection: content-length', 'content-length: 5'], 'hello'],
    [['connection: transfer-encoding', 'transfer-encoding: chunked'], '5\r\nhello\r\n0\r\n\r\n'],
    [['expect: 100-continue', 'content-length: 5'], 'hello'],
  ])('by %j reaches the back end as one request or none', async (lines, body) => {
    sent += 1;
    // The connection stays open, because the second request would be read from it.
    await sendRaw(head('POST', `${pathname()}/one${sent}`, ...lines) + body, 300);
    const arrived = backEnd.received.filter(({ url }) => url === `/base/one${sent}`);
    expect(arrived.length).toBeLessThanOrEqual(1);
    for (const { rawHeaders } of arrived) {
      const lengths = rawHeaders.filter(name => /^(content-length|transfer-encoding)$/i.test(name));
      expect(lengths).toHaveLength(1);
    }
    expect(strange()).toEqual([]);
  });

  it.each(['GET', 'HEAD'])('by a %s with a body reaches no back end', async method => {
    const text = await sendRaw(
      head(method, `${pathname()}/body`, 'connection: close', `content-length: ${smuggled.length}`) +
        smuggled,
    );
    expect([text.slice(0, 12), strange()]).toEqual(['HTTP/1.1 400', []]);
  });

  it.each([
    '/%2e%2e/x',
    '/.%2e/x',
    '/%2E./x',
    '/../x',
    '/./x',
    '/..',
    '//x',
    '///127.0.0.1/',
    '/a%2fb',
    '/a%5cb',
    '/a\\b',
    '/%00',
    '/..;/x',
    '/%2e%2e;a=b/x',
    '/a#b',
    '/?a#b',
    '/a"b',
    '/\xe4',
    '/?\xe4',
    '/%',
    '/%zz',
    '/a?b\x7f',
  ])('is refused with the path %j', async path => {
    const text = await sendRaw(head('GET', pathname() + path, 'connection: close'));
    expect([/^HTTP\/1\.1 4\d\d/.test(text), strange()]).toEqual([true, []]);
  });

  it('is refused with an absolute URL, or with another prefix than its own', async () => {
    for (const path of [
      `http://127.0.0.2${pathname()}/x`,
      pathname().replace('/appProxy', '/appProxy%2f..'),
      pathname().replace('appProxy', 'app%50roxy'),
    ])
      await sendRaw(head('GET', path, 'connection: close'));
    expect(strange()).toEqual([]);
  });
});
