import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { readProxyRouteFigures } from '#contract/proxyCall.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aProxyWorld } from '#test/proxyWorld.ts';
import { until } from '#test/until.ts';

/** A back end that misbehaves. */
const at = aProxyWorld();

it('an app that disconnects in the middle of its body is not logged as an error of the platform', async () => {
  const log = vi.spyOn(at.world.platform, 'log');
  const counted = vi.spyOn(at.world.platform.traffic, 'count');
  const { port, pathname } = new URL(`${at.user.baseUrl}${at.path}/x`);
  const socket = connect(Number(port), '127.0.0.1');
  const head = [`POST ${pathname} HTTP/1.1`, 'host: localhost', 'content-length: 10'];
  const text = [...head, `authorization: Bearer ${at.user.tokens.accessToken}`, '', 'half'].join('\r\n');
  await new Promise(sent => socket.write(text, sent));
  const ended = () =>
    at.world.platform.db.one(sql`
      select 1 as found from log_entries where stream = 'http' and detail ->> 'path' = ${pathname}`);
  await until(() => counted.mock.calls.length > 0 || undefined);
  socket.destroy();
  await until(ended);
  expect(log.mock.calls.filter(([level]) => level === 'error')).toEqual([]);
  vi.restoreAllMocks();
});

describe('a back end that', () => {
  it('hangs costs its caller the time limit, and no socket afterwards', async () => {
    at.hurry();
    at.backEnd.answer = () => undefined;
    expect(await at.outcome(at.call())).toBe('504 PROXY_TIMEOUT');
    await at.allFree();
  });

  it('stops in the middle of its answer is cut off', async () => {
    at.hurry();
    at.backEnd.answer = (_request, response) =>
      void response.writeHead(200, { 'content-length': 10 }).write('half');
    expect(await at.outcome(at.call())).toBe('200 broke off');
    await at.allFree();
  });

  it('closes the connection without an answer is unreachable', async () => {
    at.backEnd.answer = request => void request.socket.destroy();
    expect(await at.outcome(at.call({ method: 'POST' }))).toBe('502 PROXY_UNREACHABLE');
    await at.allFree();
  });

  it('dies in the middle of its answer never makes that answer look complete', async () => {
    at.backEnd.answer = (request, response) => {
      response.writeHead(200).write('half');
      setImmediate(() => request.socket.destroy());
    };
    expect(await at.outcome(at.call())).toBe('200 broke off');
    await at.allFree();
  });

  it.each([
    ['no HTTP', '220 mail.example ESMTP\r\n'],
    [
      'a length in two ways',
      'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: 3x\r\n\r\nabc'],
    ['a header in two lines', 'HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length : 3\r\n\r\nabc'],
    ['a bare line feed in a header', 'HTTP/1.1 200 OK\r\nx: a\nset-cookie: b\r\n\ncontent-length: 0\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x: a\r\n'.repeat(10_000)}`],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
  ])('answers with %s is unreachable', async (_what, bytes) => {
    at.backEnd.answer = request => void request.socket.end(bytes);
    expect(await at.outcome(at.call({ method: 'POST' }))).toBe('502 PROXY_UNREACHABLE');
    await at.allFree();
  });

  it('sends an unrequested second answer does not answer the next caller with it', async () => {
    const one = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\none';
    at.backEnd.answer = request =>
      void request.socket.write(`${one}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison`);
    expect(await at.outcome(at.call())).toBe('200 one');
    at.backEnd.answer = (_request, response) => void response.end('two');
    expect(await at.outcome(at.call())).toBe('200 two');
  });

  it('sends an endless answer is streamed, and stopped once the app has enough', async () => {
    let sent = 0;
    at.backEnd.answer = (_request, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const more = () => {
        while (!response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) break;
        }
      };
      response.on('drain', more);
      more();
    };
    const reader = (await at.call()).body?.getReader();
    let read = 0;
    while (read < 20_000_000) read += (await reader?.read())?.value?.length ?? 0;
    // The app has stopped reading: data in transit stays within the buffers of two connections.
    await until(() => sent > read || undefined);
    expect(sent - read).toBeLessThan(20_000_000);
    await reader?.cancel();
    await at.allFree();
  });

  it('closes kept connections gets a GET once more, but not a POST', async () => {
    await at.outcome(at.call());
    let isFirst = true;
    at.backEnd.answer = (request, response) => {
      if (isFirst) request.socket.destroy();
      else response.end('again');
      isFirst = false;
    };
    expect(await at.outcome(at.call())).toBe('200 again');
    at.backEnd.answer = (_request, response) => void response.end('ok');
    await at.outcome(at.call());
    const before = at.backEnd.received.length;
    at.backEnd.answer = request => void request.socket.destroy();
    expect(await at.outcome(at.call({ method: 'POST', body: 'x' }))).toBe('502 PROXY_UNREACHABLE');
    expect(at.backEnd.received.length - before).toBe(1);
  });

  it('fails half of its calls gets none for ten seconds, and then is called again', async () => {
    at.backEnd.answer = request => void request.socket.destroy();
    for (let i = 0; i < 20; i += 1) await at.outcome(at.call({ method: 'POST' }));
    const before = at.backEnd.received.length;
    const refused = await at.call();
    expect(refused.status).toBe(503);
    // The ten seconds began when the breaker opened, which was some calls earlier.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    expect(await refused.text()).toContain('PROXY_OPEN');
    expect(at.backEnd.received.length).toBe(before);
    at.backEnd.answer = (_request, response) => void response.end('ok');
    at.world.pass(10_000);
    expect(await at.outcome(at.call())).toBe('200 ok');
  });
});

describe('concurrent calls', () => {
  it('wait for a socket, and are refused if too many wait, while other routes still work', async () => {
    const open: (() => void)[] = [];
    at.backEnd.answer = (request, response) => {
      if (request.url?.startsWith('/held')) open.push(() => response.end('held'));
      else response.end('other');
    };
    const held = Array.from({ length: 12 }, () => at.outcome(at.call({}, '/held')));
    await until(() => (open.length === 8 && at.slots().waiting === 4) || undefined);
    expect(await at.outcome(at.call())).toBe('503 PROXY_BUSY');
    const { routeId } = at;
    await at.open({});
    expect(await at.outcome(at.call())).toBe('200 other');
    at.routeId = routeId;
    for (const end of open.splice(0)) end();
    await until(() => open.length === 4 || undefined);
    for (const end of open) end();
    expect(new Set(await Promise.all(held))).toEqual(new Set(['200 held']));
    await at.allFree();
  });

  it('that are aborted in large numbers leave no slot and no socket behind, and the next one is answered', async () => {
    at.backEnd.answer = (request, response) => {
      // Some hang, some answer at once, some in the middle.
      const kind = at.backEnd.received.length % 3;
      if (kind === 0) response.end('ok');
      if (kind === 1) response.writeHead(200).write('half');
      request.resume();
      at.backEnd.received.length %= 3;
    };
    const { port } = new URL(at.world.url);
    const head = `HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${at.user.tokens.accessToken}\r\n`;
    const url = new URL(`${at.user.baseUrl}${at.path}/storm`).pathname;
    const storm = async (count: number) => {
      await Promise.all(
        Array.from({ length: 50 }, async (_, lane) => {
          for (let i = lane; i < count; i += 50) await abortedCall(Number(port), i, { url, head });
        }),
      );
    };
    await storm(2_000);
    await at.allFree();
    const connections = () =>
      new Promise<number>(done => at.backEnd.server.getConnections((_, n) => done(n)));
    // Aborted calls count until the back end notices that they were closed.
    await until(async () => (await connections()) <= 8 || undefined);
    // Calls aborted before the back end was called do not count as its failures; otherwise, its breaker would open.
    const params = { routeId: at.routeId };
    expect((await at.owner.client.call(readProxyRouteFigures, { params })).failed.byCode).toEqual([]);
    at.backEnd.answer = (_request, response) => void response.end('alive');
    expect(await at.outcome(at.call())).toBe('200 alive');
  }, 60_000);
});

/** Disconnects at a different moment each time: before the request is complete, with its end, or a little later. */
function abortedCall(port: number, i: number, { url, head }: { url: string; head: string }): Promise<void> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.once('connect', () => {
      if (i % 4 === 0) socket.write(`POST ${url} ${head}content-length: 100000\r\n\r\nhalf`);
      else socket.write(`GET ${url} ${head}\r\n`);
      if (i % 3 === 0) setImmediate(() => socket.destroy());
      else if (i % 3 === 1)
        socket.once('data', () => socket.destroy()).setTimeout(20, () => socket.destroy());
      else setTimeout(() => socket.destroy(), i % 7);
    });
  });
}
