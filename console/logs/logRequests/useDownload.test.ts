import { expect, test, vi } from 'vitest';
import { failing } from '#test/failing.ts';

vi.stubGlobal('window', { location: { origin: 'https://console.example', pathname: '/' } });
const heads: string[] = [];
let fileStatus = 200;
vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
  if (address.startsWith('/api')) return Response.json({ url: 'https://console.example/files/log?token=1' });
  heads.push(`${method} ${address}`);
  return new Response(null, { status: fileStatus });
});
const { linkToFile } = await import('./useDownload.ts');

test('downloading a file that is gone shows a message instead of leaving the page', async () => {
  fileStatus = 404;
  const { message } = await failing(linkToFile('dev_1', 'lrq_1'), 'FILE_NOT_FOUND');
  expect(message).toBe('This file cannot be downloaded.');
});

test('a download checks that the file exists without fetching it', async () => {
  fileStatus = 200;
  expect(await linkToFile('dev_1', 'lrq_1')).toBe('/files/log?token=1');
  expect(heads.at(-1)).toBe('HEAD /files/log?token=1');
});
