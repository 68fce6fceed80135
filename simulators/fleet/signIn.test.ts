import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { readOptions } from './options.ts';
import { signIn } from './signIn.ts';

/** Signs in against these answers, in order. Resolves with the number of calls. */
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

it('a rate-limited call waits as long as it is told, and is retried', async () => {
  expect(await signInWhere([{ status: 429 }, { status: 429, retryAfterS: 1 }, { status: 200 }])).toBe(3);
});

it('a wait of a quarter of an hour is not accepted', async () => {
  const refused = signInWhere([{ status: 429, retryAfterS: 900 }, { status: 200 }]);
  await expect(refused).rejects.toMatchObject({ reason: 'TOO_MANY_REQUESTS' });
});
