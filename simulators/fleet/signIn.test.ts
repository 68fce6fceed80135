import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { readOptions } from './options.ts';
import { signIn } from './signIn.ts';

/** Signs in where calls are answered so, one after the other. Resolves with how often it asked. */
async function signInWhere(answers: readonly { status: number; retryAfterS?: number }[]): Promise<number> {
  let asked = 0;
  const server = createServer((_, response) => {
    const { status, retryAfterS = 0 } = answers[asked++] ?? { status: 500 };
    const headers = { 'content-type': 'application/json', 'retry-after': String(retryAfterS) };
    response
      .writeHead(status, headers)
      .end(JSON.stringify({ reason: 'TOO_MANY_REQUESTS', message: 'Wait.' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const given = ['--url', url, '--email', 'ada@example.com', '--password', 'a lantern'];
  try {
    await signIn(readOptions(given, {}));
    return asked;
  } finally {
    server.close();
  }
}

it('whoever asks too much waits as told, and asks again', async () => {
  expect(await signInWhere([{ status: 429 }, { status: 429, retryAfterS: 1 }, { status: 200 }])).toBe(3);
});

it('nobody waits for a quarter of an hour', async () => {
  const refused = signInWhere([{ status: 429, retryAfterS: 900 }, { status: 200 }]);
  await expect(refused).rejects.toMatchObject({ reason: 'TOO_MANY_REQUESTS' });
});
