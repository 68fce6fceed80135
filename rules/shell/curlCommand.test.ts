import { expect, it } from 'vitest';
import { curlCommand } from './curlCommand.ts';

it.each([
  ['a read needs no method', { method: 'GET' }, `curl 'https://a.example/b'`],
  ['-X HEAD would wait for a body', { method: 'HEAD' }, `curl --head 'https://a.example/b'`],
  [
    'a body that begins with @ is no name of a file',
    { method: 'POST', body: `@/etc/passwd it's` },
    `curl -X POST 'https://a.example/b' --data-raw '@/etc/passwd it'\\''s'`,
  ],
  [
    'a read with a body stays a read',
    { method: 'GET', body: '{}' },
    `curl -X GET 'https://a.example/b' --data-raw '{}'`,
  ],
  [
    'an empty header is sent, not removed',
    {
      method: 'GET',
      headers: [
        ['X-Role', ''],
        ['X-Home', '1041'],
      ] as const,
    },
    `curl 'https://a.example/b' -H 'X-Role;' -H 'X-Home: 1041'`,
  ],
  [
    'brackets in an address are no list of addresses',
    { method: 'GET', url: 'https://a.example/b?of[]=1' },
    `curl 'https://a.example/b?of[]=1' --globoff`,
  ],
])('%s', (_, call, line) => {
  expect(curlCommand({ url: 'https://a.example/b', ...call }).replaceAll(' \\\n  ', ' ')).toBe(line);
});
