import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { deleteProxyRoute } from '#contract/proxyRoute.ts';
import { sql } from '#server/infra/db/sql.ts';
import { anEndUser } from '#test/endUsers.ts';
import { aProxyWorld } from '#test/proxyWorld.ts';
import { until } from '#test/until.ts';

const at = aProxyWorld();

describe('a stream', () => {
  it('of events is forwarded event by event, and may last longer than other answers', async () => {
    let send: (text: string) => void = () => undefined;
    at.backEnd.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      send = text => response.write(text);
    };
    at.hurry();
    const response = await at.call();
    const reader = response.body?.getReader();
    const begun = performance.now();
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      send(text);
      expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(text);
    }
    // Silent for longer than other answers may be, and closed by its own limit.
    await expect(reader?.read()).rejects.toThrow();
    expect(performance.now() - begun).toBeGreaterThan(1_100);
    await at.allFree();
  });

  it('ends soon after its user is suspended or its route is deleted', async () => {
    at.backEnd.answer = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const other = await anEndUser(at.world, {
      id: at.user.baseUrl.split('/').at(-1)?.split('@')[0] ?? '',
      projectId: at.projectId,
    });
    const streams = [other, at.user].map(one => one.fetch(`${at.user.baseUrl}${at.path}/x`));
    const [first, second] = (await Promise.all(streams)).map(({ body }) => body?.getReader().read());
    await at.world.platform.db.run(sql`update users set suspended = true where id = ${other.id}`);
    await expect(first).rejects.toThrow();
    await at.owner.client.call(deleteProxyRoute, { params: { routeId: at.routeId } });
    await expect(second).rejects.toThrow();
    await at.allFree();
  });

  it('of an upload reaches the back end while it is being sent, and is never buffered as a whole', async () => {
    let seen = 0;
    at.backEnd.answer = (request, response) =>
      void request
        .on('data', (chunk: Buffer) => {
          seen += chunk.length;
        })
        .on('end', () => response.end(`${request.headers['transfer-encoding']} ${seen}`));
    let sent = 0;
    const body = new ReadableStream({
      async pull(controller) {
        if (sent >= 1024 * 1024) await until(() => seen > 0 || undefined);
        sent += 1024 * 1024;
        controller.enqueue(Buffer.alloc(1024 * 1024));
        if (sent === 8 * 1024 * 1024) controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await at.outcome(at.call(init))).toBe(`200 chunked ${8 * 1024 * 1024}`);
  });

  it('of an upload that stalls is ended', async () => {
    at.hurry();
    at.backEnd.answer = request => void request.resume();
    const body = new ReadableStream({ start: controller => controller.enqueue(Buffer.alloc(100)) });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await at.outcome(at.call(init))).toBe('400 MALFORMED');
    await at.allFree();
  });
});

describe('a WebSocket', () => {
  const open = (more = '') =>
    new Promise<{ text: string; socket: ReturnType<typeof connect> }>(resolve => {
      const { port } = new URL(at.world.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        `GET ${new URL(`${at.user.baseUrl}${at.path}/ws`).pathname} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
          `sec-websocket-key: abc\r\nsec-websocket-version: 13\r\nauthorization: Bearer ${at.user.tokens.accessToken}\r\n${more}\r\n`,
      );
      socket.once('data', (data: Buffer) => resolve({ text: data.toString(), socket }));
      socket.on('error', () => undefined);
    });

  it('works both ways if the route allows it, with the same facts about the caller, and frees its slot', async () => {
    at.backEnd.onUpgrade = (request, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nset-cookie: a=b\r\nsec-websocket-accept: ${request.headers['sec-websocket-key']}!\r\n\r\n`,
      );
      socket.on('data', (data: Buffer) => socket.write(`${request.headers['x-mooring-user']} ${data}`));
      socket.on('error', () => undefined);
    };
    const { text, socket } = await open();
    expect(text).toMatch(/^HTTP\/1\.1 101 [\s\S]*sec-websocket-accept: abc!/);
    expect(text).not.toContain('set-cookie');
    const echoed = new Promise<string>(resolve =>
      socket.once('data', (data: Buffer) => resolve(data.toString())),
    );
    socket.write('hello');
    expect(await echoed).toBe(`${at.user.id} hello`);
    expect(at.slots().inUse).toBe(1);
    socket.destroy();
    await at.allFree();
  });

  it('is refused if the route or the back end does not allow it', async () => {
    at.backEnd.onUpgrade = (_request, socket) =>
      void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
    expect((await open()).text).toMatch(/^HTTP\/1\.1 403 [\s\S]*no$/);
    await at.allFree();
    await at.open({});
    expect((await open()).text).toContain('PROXY_WEBSOCKET_REFUSED');
  });
});
