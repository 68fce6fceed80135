import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { anEndUser, type EndUser } from '#test/endUsers.ts';
import { aProxyWorld } from '#test/proxyWorld.ts';
import { until } from '#test/until.ts';

/** Eight calls at once, of which a user can have two, and four that wait, of which a user can have one. */
const at = aProxyWorld({ shares: { user: 1 / 4, home: 1 / 2 } });
let other: EndUser;
beforeAll(async () => {
  other = await anEndUser(at.world, at.app);
});

/** Begins a call with a large body, of which this much arrives. The rest never does. */
function beginSlowly(by: EndUser, bytes: number): { answered: Promise<string> } {
  const { port, pathname } = new URL(`${by.baseUrl}${at.path}/slow`);
  const socket = connect(Number(port), '127.0.0.1');
  const head = [`POST ${pathname} HTTP/1.1`, 'host: localhost', 'content-length: 200000'];
  socket.write([...head, `authorization: Bearer ${by.tokens.accessToken}`, '', ''].join('\r\n'));
  socket.write(Buffer.alloc(bytes));
  let text = '';
  socket.on('data', chunk => {
    text += chunk;
  });
  const answered = new Promise<string>(resolve =>
    socket.on('error', () => undefined).once('close', () => resolve(text)),
  );
  return { answered };
}

it('bodies that do not arrive take no slot of their route, and are given up', async () => {
  at.hurry();
  const slow = Array.from({ length: 20 }, () => beginSlowly(at.user, 1));
  expect(await at.outcome(at.call({}, '/x', other))).toBe('200 ok');
  const answers = await Promise.all(slow.map(({ answered }) => answered));
  expect(at.slots().inUse).toBe(0);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 400 .*"reason":"MALFORMED"/s);
});

it('bodies that stall after their beginning leave the route to other users, and are given up', async () => {
  at.hurry();
  at.backEnd.answer = (request, response) =>
    request.url === '/slow' ? void request.resume() : void response.end('ok');
  const slow = Array.from({ length: 3 }, () => beginSlowly(at.user, 100_000));
  await until(() => (at.slots().inUse === 2 && at.slots().waiting === 1) || undefined);
  expect(await at.outcome(at.call())).toBe('503 PROXY_BUSY');
  expect(await at.outcome(at.call({}, '/x', other))).toBe('200 ok');
  for (const { answered } of slow) expect(await answered).toMatch(/"reason":"(MALFORMED|PROXY_BUSY)"/);
  await at.allFree();
});

it('a body that is small but of unknown length is signed, and sent with its length', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('small'));
      controller.close();
    },
  });
  await at.outcome(at.call({ method: 'POST', body, duplex: 'half' } as RequestInit));
  const { headers, body: received } = at.backEnd.received.at(-1) ?? {};
  expect(received).toBe('small');
  expect(headers).toMatchObject({
    'content-length': '5',
    'content-digest': expect.stringMatching(/^sha-256=/),
  });
  expect(headers?.['signature-input']).toContain('"content-digest"');
});
