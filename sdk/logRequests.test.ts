import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, it, vi } from 'vitest';
import { aFakeGateway } from '#test/fakeGateway.ts';
import { deadline } from '#test/until.ts';
import type { LogLine } from './logRequests.ts';

const at = aFakeGateway({
  toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
});
const uploads: { url: string; at: number; body: Buffer }[] = [];
/** The status codes with which the upload is answered, in order; the last one is repeated. */
let statuses: number[];
/** Instead of a status: nothing ever answers. */
const swallowed = -1;

beforeEach(() => {
  uploads.length = 0;
  statuses = [204];
});

const upload = async (url: string, init?: RequestInit) => {
  uploads.push({
    url,
    at: Date.now(),
    body: Buffer.from(await new Response(init?.body ?? null).arrayBuffer()),
  });
  const status = statuses.length > 1 ? statuses.shift() : statuses[0];
  if (status === swallowed)
    await new Promise((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    );
  if (status === 0) throw new TypeError('fetch failed');
  return new Response(null, { status: status ?? 204, headers: { 'retry-after': '300' } });
};

const line = (minute: number, text: string, level: LogLine['level'] = 'info'): LogLine => ({
  ts: new Date(Date.UTC(2026, 10, 20, 8, minute)),
  level,
  text,
});
const lines = [
  line(0, 'boot: up'),
  line(10, 'wifi: connected'),
  line(20, 'wifi: lost', 'warn'),
  line(30, 'sensor: broken', 'error'),
  line(40, 'wifi: back'),
];

async function aDevice(source?: () => LogLine[]) {
  const device = at.gateway.aDevice({ fetch: upload });
  if (source) device.onLogRequest(source);
  await at.settle();
  return device;
}

function ask(id = 'r1', prefixes: string[] = []): void {
  const [start, end] = ['2026-11-20T08:10:00.000Z', '2026-11-20T08:40:00.000Z'];
  const uploadUrl = `https://mooring.example.com/files/${id}`;
  at.gateway.tell(`d/dev_1/logRequests/${id}`, { id, start, end, prefixes, uploadUrl, expiresAt: end });
}

const said = () =>
  at.gateway.published.map(({ topic, json }) => [topic.replace('d/dev_1/logRequests/', ''), json]);

/** Compression does not run on fake timers, so this polls. */
const saidAtLast = (...wanted: unknown[]) =>
  vi.waitFor(async () => {
    await at.settle(1000);
    expect(said()).toEqual(wanted);
  }, deadline);

const uploading = ['r1/status', { status: 'uploading' }];

it('a request is answered with the requested lines, as compressed JSON lines', async () => {
  await aDevice(() => lines);
  ask('r1', ['wifi', 'sensor: b']);
  await saidAtLast(uploading);
  await vi.waitFor(() => expect(uploads).toHaveLength(1), deadline);
  expect(uploads[0]?.url).toBe('https://mooring.example.com/files/r1');
  const text = gunzipSync(uploads[0]?.body ?? '').toString();
  expect(
    text
      .trim()
      .split('\n')
      .map(one => JSON.parse(one)),
  ).toEqual([
    { ts: '2026-11-20T08:10:00.000Z', level: 2, text: 'wifi: connected' },
    { ts: '2026-11-20T08:20:00.000Z', level: 1, text: 'wifi: lost' },
    { ts: '2026-11-20T08:30:00.000Z', level: 0, text: 'sensor: broken' },
  ]);
});

it('a request without matching lines is answered with that', async () => {
  const device = await aDevice();
  ask('r1');
  await saidAtLast(['r1/status', { status: 'nologs' }]);
  device.onLogRequest(() => lines);
  ask('r2', ['motor']);
  await saidAtLast(['r1/status', { status: 'nologs' }], ['r2/status', { status: 'nologs' }]);
  expect(uploads).toEqual([]);
});

it('a log that cannot be read fails with the reason', async () => {
  await aDevice(() => {
    throw new Error('The flash is worn out.');
  });
  ask();
  await saidAtLast(['r1/status', { status: 'failure', error: 'The flash is worn out.' }]);
});

it('an upload that breaks off is retried, and a throttled one waits as long as it is told', async () => {
  statuses = [0, 503, 429, 204];
  await aDevice(() => lines);
  ask();
  await vi.waitFor(async () => {
    await at.settle(60_000);
    expect(uploads).toHaveLength(4);
  }, deadline);
  const [, , third = 0, last = 0] = uploads.map(one => one.at);
  expect(third - (uploads[1]?.at ?? 0)).toBeGreaterThanOrEqual(300_000);
  expect(last - third).toBeGreaterThanOrEqual(300_000);
  expect(said()).toEqual([uploading]);
});

it('an upload that is refused or never succeeds fails', async () => {
  statuses = [413];
  await aDevice(() => lines);
  ask();
  await saidAtLast(uploading, [
    'r1/status',
    { status: 'failure', error: 'The upload failed with status 413.' },
  ]);
  statuses = [0];
  ask('r2');
  const failed = ['r2/status', { status: 'failure', error: 'The upload failed.' }];
  await vi.waitFor(async () => {
    await at.settle(10_000);
    expect(said().at(-1)).toEqual(failed);
  }, deadline);
});

it('a request that was cancelled meanwhile is dropped', async () => {
  statuses = [409];
  await aDevice(() => lines);
  ask();
  await vi.waitFor(() => expect(uploads).toHaveLength(1), deadline);
  await at.settle(60_000);
  expect(said()).toEqual([uploading]);
});

it('a request repeated while it is being answered is answered once', async () => {
  statuses = [0];
  await aDevice(() => lines);
  ask();
  ask();
  await vi.waitFor(() => expect(uploads).toHaveLength(1), deadline);
  ask();
  await at.settle(100);
  expect(said()).toEqual([uploading]);
});

it('an upload whose packets are swallowed is given up and tried again', async () => {
  statuses = [swallowed, 204];
  await aDevice(() => lines);
  ask();
  await vi.waitFor(async () => {
    await at.settle(10_000);
    expect(uploads).toHaveLength(2);
  }, deadline);
  expect(said()).toEqual([uploading]);
});
