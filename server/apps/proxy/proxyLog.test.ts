import { describe, expect, it } from 'vitest';
import { readProxyRouteHttpLogEntries } from '#contract/log.ts';
import { watchProxyRoute } from '#contract/proxyRoute.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { aRoute } from '#test/backEnds.ts';
import { anEchoWorld, outcome } from '#test/echoWorld.ts';

const at = anEchoWorld();

describe('the HTTP log', () => {
  const entries = async (routeId: string) => {
    await at.world.platform.systemLog.drain();
    const now = at.world.now().getTime();
    const [begin = '', end = ''] = [now - minuteMs, now + minuteMs].map(ms => new Date(ms).toISOString());
    return at.owner.client.call(readProxyRouteHttpLogEntries, { params: { routeId }, query: { begin, end } });
  };

  it('has an entry for each call of a route, with request and answer, but without query and body', async () => {
    const { id } = await aRoute(at, `${at.backEnd.url}/logged`, { sourcePath: '/logged' });
    await at.call('/logged/x?secret=1', { method: 'POST', body: 'secret' });
    const [entry] = await entries(id);
    expect(entry).toMatchObject({
      text: `POST ${new URL(at.user.baseUrl).pathname}${at.projectPath()}/logged/x 200`,
      actor: { callerType: 'user', id: at.user.id, displayName: 'Mari Kask' },
      detail: {
        route: id,
        sent: { url: `${at.backEnd.url}/logged/x` },
        status: 200,
        received: { status: 200, bytes: 2 },
      },
    });
    expect(JSON.stringify(entry)).not.toContain('secret');
  });

  it('contains headers and bodies while a developer watches, truncated if they are long', async () => {
    const { id } = await aRoute(at, at.backEnd.url, { sourcePath: '/watched' });
    await at.owner.client.call(watchProxyRoute, { params: { routeId: id }, body: {} });
    at.backEnd.answer = (request, response) =>
      void request.on('end', () => response.end('x'.repeat(20_000))).resume();
    await (await at.call('/watched/x?q=1', { method: 'POST', body: 'hello' })).text();
    const [entry] = await entries(id);
    const { sent, received } = (entry?.detail ?? {}) as Record<string, Record<string, unknown>>;
    expect(sent).toMatchObject({ url: `${at.backEnd.url}/x?q=1`, body: 'hello' });
    expect(JSON.stringify(sent)).not.toContain('["signature",');
    expect(received).toMatchObject({ bytes: 20_000, body: 'x'.repeat(16 * 1024), isTruncated: true });
    at.world.pass(6 * minuteMs);
    await (await at.call('/watched/x?q=1', { method: 'POST', body: 'hello' })).text();
    expect(JSON.stringify((await entries(id))[0])).not.toContain('hello');
  });

  it('contains refused calls, with the reason', async () => {
    const { id } = await aRoute(at, 'http://127.0.0.1:8999', { sourcePath: '/away' });
    expect(await outcome(at.call('/away'))).toBe('502 PROXY_UNREACHABLE');
    expect((await entries(id))[0]?.detail).toMatchObject({
      reason: 'PROXY_UNREACHABLE',
      fault: 'The server refused the connection.',
      status: 502,
    });
  });
});
