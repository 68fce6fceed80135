import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refuseSlowBodies } from './slowBodies.ts';

let app: FastifyInstance;

beforeEach(async () => {
  app = fastify({ requestTimeout: 0 });
  refuseSlowBodies(app, 50);
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.post('/call', async () => 'done');
  app.put('/upload', { config: { takesItsTime: true } }, async ({ raw }) => {
    await once(raw, 'data');
    return 'begun';
  });
  app.post('/json', async ({ body }) => body);
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

function say(...lines: string[]) {
  const address = app.server.address();
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

it('a call whose body does not arrive gets 408 and is disconnected', async () => {
  const socket = say('POST /json HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 9');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
});

it('an upload may take longer', async () => {
  const socket = say('PUT /upload HTTP/1.1', 'host: a', 'content-length: 1', 'connection: close');
  const slow = say('POST /json HTTP/1.1', 'host: a', 'content-type: application/json', 'content-length: 9');
  await text(slow);
  socket.write('x');
  expect(await text(socket)).toMatch(/begun$/);
});

it('Node still limits the time for headers', () => {
  expect(app.server.headersTimeout).toBe(60_000);
});
