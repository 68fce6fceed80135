import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProxyRoute, deleteProxyRoute } from '#contract/proxyRoute.ts';
import { sql } from '#server/db/sql.ts';
import { lineOf } from '#server/proxyRoutes/forward/lines.ts';
import { anApp } from '#test/apps.ts';
import { aBackEnd, aRoute, type BackEnd } from '#test/backEnds.ts';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import { ProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { aWorld } from '#test/world.ts';

const at = new ProjectWorld();
let backEnd: BackEnd;
let user: EndUser;

beforeAll(async () => {
  at.world = await aWorld(
    { ALLOW_PRIVATE_TARGETS: '127.0.0.1' },
    {
      proxyLimits: { recheckMs: 100, closeMs: 200, sockets: { max: 8, waitingMax: 4 } },
    },
  );
  at.owner = await at.world.aDeveloper();
  at.projectId = (await at.world.aProject(at.owner)).id;
  backEnd = await aBackEnd();
  user = await anEndUser(at.world, await anApp(at.owner, at.projectId));
});
afterAll(async () => {
  await backEnd[Symbol.asyncDispose]();
  await at.world.end();
});

let routeId = '';
let routes = 0;
let path = '';
beforeEach(async () => {
  Object.assign(at.world.platform.proxyLimits, { idleMs: 30_000, streamIdleMs: 60_000 });
  backEnd.answer = (request, response) => void request.on('end', () => response.end('ok')).resume();
  routes += 1;
  const sourcePath = `/r${routes}`;
  path = `/projects/${at.projectId}/appProxy${sourcePath}`;
  routeId = (await aRoute(at, backEnd.url, { sourcePath, webSocket: true })).id;
});

const call = (init?: RequestInit) => user.fetch(`${user.baseUrl}${path}/x`, init);
async function outcome(response: Promise<Response>): Promise<string> {
  const one = await response;
  const text = await one.text().catch(() => 'broke off');
  return `${one.status} ${/"reason":"(\w+)"/.exec(text)?.[1] ?? text}`;
}
/** Time limits that are short enough to be waited for: for the tests of them alone, or a busy machine would exceed them. */
const hurry = () => Object.assign(at.world.platform.proxyLimits, { idleMs: 1_000, streamIdleMs: 2_000 });
const slots = () => lineOf(at.world.platform, routeId).slots;
const allFree = () => until(() => (slots().inUse === 0 && slots().waiting === 0) || undefined);

describe('a stream', () => {
  it('of events is passed on event by event, and lives longer than an answer may', async () => {
    let send: (text: string) => void = () => undefined;
    backEnd.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      send = text => response.write(text);
    };
    hurry();
    const response = await call();
    const reader = response.body?.getReader();
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      send(text);
      expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(text);
    }
    // Silent for longer than other answers may be, and cut off by its own limit.
    const begun = performance.now();
    await expect(reader?.read()).rejects.toThrow();
    expect(performance.now() - begun).toBeGreaterThan(1_100);
    await allFree();
  });

  it('ends soon after the right to it: the user is suspended, the route deleted', async () => {
    backEnd.answer = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const other = await anEndUser(at.world, {
      id: user.baseUrl.split('/').at(-1)?.split('@')[0] ?? '',
      projectId: at.projectId,
    });
    const streams = [other, user].map(one => one.fetch(`${user.baseUrl}${path}/x`));
    const [first, second] = (await Promise.all(streams)).map(({ body }) => body?.getReader().read());
    await at.world.platform.db.run(sql`update users set suspended = true where id = ${other.id}`);
    await expect(first).rejects.toThrow();
    await at.owner.client.call(deleteProxyRoute, { params: { routeId } });
    await expect(second).rejects.toThrow();
    await allFree();
  });

  it('of an upload reaches the back end while it is sent, and is never held as a whole', async () => {
    let seen = 0;
    backEnd.answer = (request, response) =>
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
    expect(await outcome(call(init))).toBe(`200 chunked ${8 * 1024 * 1024}`);
  });

  it('of an upload that stands still is given up', async () => {
    hurry();
    backEnd.answer = request => void request.resume();
    const body = new ReadableStream({ start: controller => controller.enqueue(Buffer.alloc(100)) });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await outcome(call(init))).toBe('400 MALFORMED');
    await allFree();
  });
});

describe('a WebSocket', () => {
  const open = (more = '') =>
    new Promise<{ text: string; socket: ReturnType<typeof connect> }>(resolve => {
      const { port } = new URL(at.world.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        `GET ${new URL(`${user.baseUrl}${path}/ws`).pathname} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
          `sec-websocket-key: abc\r\nsec-websocket-version: 13\r\nauthorization: Bearer ${user.tokens.accessToken}\r\n${more}\r\n`,
      );
      socket.once('data', (data: Buffer) => resolve({ text: data.toString(), socket }));
      socket.on('error', () => undefined);
    });

  it('goes both ways where the route allows it, with the same facts, and gives its slot back', async () => {
    backEnd.onUpgrade = (request, socket) => {
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
    expect(await echoed).toBe(`${user.id} hello`);
    expect(slots().inUse).toBe(1);
    socket.destroy();
    await allFree();
  });

  it('is refused where the route does not allow it, and where the back end does not', async () => {
    backEnd.onUpgrade = (_request, socket) =>
      void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
    expect((await open()).text).toMatch(/^HTTP\/1\.1 403 [\s\S]*no$/);
    await allFree();
    const sourcePath = `/plain${routes}`;
    await at.owner.client.call(createProxyRoute, {
      body: { projectId: at.projectId, resource: 'project', sourcePath, targetUrl: backEnd.url },
    });
    path = `/projects/${at.projectId}/appProxy${sourcePath}`;
    expect((await open()).text).toContain('PROXY_WEBSOCKET_REFUSED');
  });
});
