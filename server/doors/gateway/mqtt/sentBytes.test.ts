import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { aCertificate } from '#test/certificate.ts';
import { until } from '#test/until.ts';
import { sentBytes } from './sentBytes.ts';

/** A server’s socket, as the gateway gets it, and that of its client. */
async function pair(isTls: boolean): Promise<{ ours: Socket; client: Socket; close: () => void }> {
  const { cert, key } = aCertificate(['localhost']);
  const secureContext = createSecureContext({ cert, key });
  const come = Promise.withResolvers<Socket>();
  const server = createServer(socket =>
    come.resolve(isTls ? new TLSSocket(socket, { isServer: true, secureContext }) : socket),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = isTls
    ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  await once(client, isTls ? 'secureConnect' : 'connect');
  const ours = await come.promise;
  const close = () => {
    ours.destroy();
    client.destroy();
    server.close();
  };
  return { ours, client, close };
}

it.each([
  ['TCP', false],
  ['TLS', true],
])('over %s, one large write is seen to be read bit by bit', async (_, isTls) => {
  const { ours, client, close } = await pair(isTls);
  client.pause();
  const bytes = 64 * 1024 * 1024;
  ours.write(Buffer.alloc(bytes));
  // Nobody reads: the buffers of the system fill up.
  let before = -1;
  await until(() => {
    const now = sentBytes(ours);
    const isFull = now > 0 && now === before;
    before = now;
    return isFull || undefined;
  });
  const steps = new Set<number>();
  client.on('data', () => steps.add(sentBytes(ours)));
  client.resume();
  await until(() => ours.writableLength === 0 || undefined);
  expect(steps.size).toBeGreaterThan(10);
  expect(sentBytes(ours)).toBeGreaterThanOrEqual(bytes);
  close();
});
