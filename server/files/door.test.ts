import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteDevice, editDevice } from '#contract/device.ts';
import { cancelLogRequest, logFileBytesMax } from '#contract/logRequest.ts';
import type { ProblemAnswer } from '#contract/problem.ts';
import { deleteProject } from '#contract/project.ts';
import { sql } from '#server/db/sql.ts';
import { aLoggingDevice, logLines, put } from '#test/logRequests.ts';
import { until } from '#test/until.ts';
import { aWorld, dayMs, minuteMs, type World } from '#test/world.ts';
import { fileUrl } from './links.ts';
import { removeFilesJob } from './unkept.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.end());

const attempt = { isLast: false, signal: undefined };
const aTarget = () => aLoggingDevice(world);
type Target = Awaited<ReturnType<typeof aTarget>>;

/** A request, and where its file is to be put. */
async function asked(target: Target): Promise<{ id: string; uploadUrl: string }> {
  const { id } = await target.ask();
  return { id, uploadUrl: (await target.frame()).uploadUrl };
}

async function uploaded(lines = 20): Promise<{ target: Target; id: string; url: string; uploadUrl: string }> {
  const target = await aTarget();
  const { id, uploadUrl } = await asked(target);
  expect(await put(uploadUrl, gzipSync(logLines(lines)))).toMatchObject({ status: 204 });
  return { target, id, uploadUrl, url: (await target.read(id)).url ?? '' };
}

const filesLeft = async () => {
  await removeFilesJob({ ...world.platform, clock: () => new Date('2100-01-01') })({}, attempt);
  const kept = await world.platform.db.one<{ count: number }>(
    sql`select count(*)::int from log_requests where file is not null`,
  );
  return {
    kept: kept?.count,
    unkept: (await world.platform.db.many(sql`select 1 from unkept_files`)).length,
  };
};

describe('an upload', () => {
  it('of gzip is kept byte for byte, and ends the request', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    const file = gzipSync(logLines(1000));
    expect(await put(uploadUrl, file)).toMatchObject({ status: 204 });
    const request = await target.read(id);
    expect(request).toMatchObject({ status: 'success', sizeBytes: file.length });
    const answer = await fetch(request.url ?? '');
    expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
    await target.ask();
  });

  it('of plain lines is kept as gzip', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    expect(await put(uploadUrl, logLines(20), { 'content-type': 'text/plain' })).toMatchObject({
      status: 204,
    });
    const answer = await fetch((await target.read(id)).url ?? '');
    expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(logLines(20));
  });

  it.each([
    ['of nothing', Buffer.alloc(0)],
    ['of no lines', gzipSync('')],
    ['of empty lines', '\r\n\n'],
  ])('%s says that there are no logs', async (_, body) => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    expect(await put(uploadUrl, body)).toMatchObject({ status: 204 });
    expect(await target.read(id)).toMatchObject({ status: 'nologs' });
    expect((await target.read(id)).url).toBeUndefined();
  });

  it.each([
    ['a page', '<html></html>', /Line 1 is no JSON object/],
    ['a list', '[1]\n', /Line 1/],
    ['half a line', `${logLines(2)}{"ts":`, /Line 3/],
    ['half a gzip', gzipSync(logLines(10_000)).subarray(0, 20_000), /gzip/],
    ['gzip of something else', gzipSync(randomBytes(100_000)), /This is no log/],
    ['gzip with rubbish in it', Buffer.concat([gzipSync('{}\n').subarray(0, 12), randomBytes(9)]), /gzip/],
    ['a bomb', gzipSync(Buffer.alloc(20_000_000, 'x')), /longer than 1 MiB/],
    ['one byte', 'x', /Line 1/],
  ])('of %s fails the request and leaves no file', async (_, body, why) => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    expect(await put(uploadUrl, body)).toEqual({ status: 422, reason: 'FILE_UNFIT' });
    const request = await target.read(id);
    expect(request).toMatchObject({ status: 'failure', error: expect.stringMatching(why) });
    expect(request.url).toBeUndefined();
    expect(await put(uploadUrl, logLines(1))).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
  });

  it('past its bound is refused while it comes, said beforehand or not', async () => {
    const line = Buffer.from(logLines(1).trim().padEnd(1_000_000).concat('\n'));
    async function* endless() {
      for (;;) yield line;
    }
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    const refused = await put(
      uploadUrl,
      Readable.toWeb(Readable.from(endless())) as ReadableStream<Uint8Array>,
    );
    expect(refused).toEqual({ status: 413, reason: 'TOO_LARGE' });
    expect(await target.read(id)).toMatchObject({ status: 'failure' });
    const second = await asked(target);
    const said = await sayHead(second.uploadUrl, `content-length: ${logFileBytesMax + 1}`);
    expect(said).toMatch(/^HTTP\/1.1 413 /);
    expect(await target.read(second.id)).toMatchObject({ status: 'failure' });
  }, 30_000);

  it('that breaks off leaves nothing, and can be sent again', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    const file = gzipSync(logLines(50_000));
    for (let tenth = 1; tenth < 10; tenth += 2) {
      await sendPart(uploadUrl, file, Math.floor((file.length * tenth) / 10));
    }
    expect(await target.read(id)).toMatchObject({ status: 'uploading' });
    expect(await put(uploadUrl, file)).toMatchObject({ status: 204 });
    expect(await target.read(id)).toMatchObject({ status: 'success', sizeBytes: file.length });
  });

  it('of two at once is kept once', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    const answers = await Promise.all([1, 2, 3].map(n => put(uploadUrl, gzipSync(logLines(n * 1000)))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, 409, 409]);
    expect(await target.read(id)).toMatchObject({ status: 'success' });
  });

  it('that begins anew takes the place of one that hangs', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    const hanging = sayHead(uploadUrl, 'content-length: 1000');
    await until(async () => ((await target.read(id)).status === 'uploading' ? true : undefined));
    expect(await put(uploadUrl, logLines(2))).toMatchObject({ status: 204 });
    expect(await hanging).toMatch(/^HTTP\/1.1 409 /);
    expect(await target.read(id)).toMatchObject({ status: 'success' });
  });

  it('that ends after its request was cancelled does not bring it back', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    const goOn = Promise.withResolvers<void>();
    async function* slow() {
      yield Buffer.from(logLines(1));
      await goOn.promise;
      yield Buffer.from(logLines(1));
    }
    const upload = put(uploadUrl, Readable.toWeb(Readable.from(slow())) as ReadableStream<Uint8Array>);
    await until(async () => ((await target.read(id)).status === 'uploading' ? true : undefined));
    await target.owner.client.call(cancelLogRequest, {
      params: { deviceId: target.device.id, requestId: id },
    });
    goOn.resolve();
    expect(await upload).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
    expect(await target.read(id)).toMatchObject({ status: 'cancelled' });
    expect(await put(uploadUrl, logLines(1))).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
  });

  it('by a suspended device, or after it or its project was deleted, is refused', async () => {
    const target = await aTarget();
    const { uploadUrl } = await asked(target);
    const { client } = target.owner;
    const params = { deviceId: target.device.id };
    await client.call(editDevice, { params, body: { suspended: true } });
    expect(await put(uploadUrl, logLines(1))).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
    await client.call(deleteDevice, { params });
    expect(await put(uploadUrl, logLines(1))).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
    const other = await aTarget();
    const second = await asked(other);
    await other.owner.client.call(deleteProject, { params: { projectId: other.project.id } });
    expect(await put(second.uploadUrl, logLines(1))).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
  });
});

describe('a link', () => {
  it('that is altered or of another right is refused', async () => {
    const { target, id, url, uploadUrl } = await uploaded();
    const other = await uploaded();
    const token = url.split('/').at(-1) ?? '';
    const [letters = '', ...words] = token.split('.');
    const signature = words.pop() ?? '';
    const forged = [
      `${letters}.${words.join('.')}.${signature.replace(/^./, first => (first === 'A' ? 'B' : 'A'))}`,
      `${letters}.${words.join('.')}`,
      `${letters}.${words.join('.')}.`,
      [letters, words[0], other.target.device.id, other.id, words[3], signature].join('.'),
      [letters, other.target.project.id, words[1], words[2], words[3], signature].join('.'),
      [letters, ...words.slice(0, 3), 'zzzzzz', signature].join('.'),
      ['pl', ...words, signature].join('.'),
      'x',
      '%00',
      '..%2f..%2fmaster.key',
    ];
    for (const one of forged) {
      const answer = await fetch(`${world.url}/files/${one}`);
      expect([answer.status, one]).toEqual([403, one]);
      expect(((await answer.json()) as ProblemAnswer).reason).toBe('LINK_EXPIRED');
      expect(await put(`${world.url}/files/${one}`, 'x')).toEqual({ status: 403, reason: 'LINK_EXPIRED' });
    }
    expect(await put(url, logLines(1))).toEqual({ status: 405, reason: 'METHOD_NOT_ALLOWED' });
    expect((await fetch(uploadUrl)).status).toBe(405);
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expect((await fetch(url, { method })).status).toBe(405);
    }
    expect((await target.read(id)).status).toBe('success');
  });

  it('to a file holds for a quarter of an hour', async () => {
    const { url } = await uploaded();
    world.pass(15 * minuteMs - 5_000);
    expect((await fetch(url)).status).toBe(200);
    world.pass(10_000);
    expect((await fetch(url)).status).toBe(403);
  });

  it('to upload holds as long as the request', async () => {
    const { uploadUrl } = await asked(await aTarget());
    world.pass(7 * dayMs + 1000);
    expect(await put(uploadUrl, logLines(1))).toEqual({ status: 403, reason: 'LINK_EXPIRED' });
  });

  it('to a file that is gone is refused: of a deleted device, of a deleted project', async () => {
    const one = await uploaded();
    await one.target.owner.client.call(deleteDevice, { params: { deviceId: one.target.device.id } });
    const answer = await fetch(one.url);
    expect([answer.status, ((await answer.json()) as ProblemAnswer).reason]).toEqual([404, 'FILE_NOT_FOUND']);
    const two = await uploaded();
    await two.target.owner.client.call(deleteProject, { params: { projectId: two.target.project.id } });
    expect((await fetch(two.url)).status).toBe(404);
  });

  it('shows up in no answer that did not ask for it', async () => {
    const { url } = await uploaded();
    const answer = await fetch(url);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('a download', () => {
  it('is a file to be saved, and nothing a browser would open', async () => {
    const { target, url } = await uploaded();
    const { headers } = await fetch(url);
    expect(headers.get('content-type')).toBe('application/gzip');
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch("default-src 'none'");
    const name = `log-${target.device.id}-2026-11-20.jsonl.gz`;
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  });

  it('is answered in ranges', async () => {
    const { url, target, id } = await uploaded();
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const size = whole.length;
    const get = async (range: string, more: Record<string, string> = {}) => {
      const answer = await fetch(url, { headers: { range, ...more } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, range: answer.headers.get('content-range'), bytes };
    };
    expect(await get('bytes=0-9')).toEqual({
      status: 206,
      range: `bytes 0-9/${size}`,
      bytes: whole.subarray(0, 10),
    });
    expect(await get('bytes=10-')).toMatchObject({ status: 206, bytes: whole.subarray(10) });
    expect(await get('bytes=-4')).toMatchObject({ status: 206, bytes: whole.subarray(-4) });
    expect(await get(`bytes=0-${size * 9}`)).toMatchObject({ status: 206, bytes: whole });
    expect(await get(`bytes=-${size * 9}`)).toMatchObject({ status: 206, bytes: whole });
    for (const past of [`bytes=${size}-`, 'bytes=-0', `bytes=${size + 1}-${size + 2}`])
      expect(await get(past)).toMatchObject({ status: 416, range: `bytes */${size}` });
    for (const strange of ['bytes=5-1', 'bytes=a-b', 'bytes=-', 'items=0-1', 'bytes=0-1,3-4', 'bytes=1e3-'])
      expect(await get(strange)).toMatchObject({ status: 200, bytes: whole });
    expect(await get('bytes=0-0', { 'if-range': `"${id}"` })).toMatchObject({ status: 206 });
    expect(await get('bytes=0-0', { 'if-range': '"another"' })).toMatchObject({ status: 200 });
    expect((await target.read(id)).sizeBytes).toBe(size);
  });

  it('can be asked about without its content', async () => {
    const { url, target, id } = await uploaded();
    const answer = await fetch(url, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('content-length'))).toBe((await target.read(id)).sizeBytes);
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
  });
});

it('nothing is left in the store that no request has', async () => {
  const { kept = 0, unkept } = await filesLeft();
  expect(unkept).toBe(0);
  const { readdirSync } = await import('node:fs');
  const folder = `${world.platform.config.dataDir}/files`;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  expect(files.length).toBe(kept);
  expect(kept).toBeGreaterThan(3);
});

it('a stop waits for no upload that hangs', async () => {
  // That a call was cut is an error in its log.
  const other = await aWorld({ LOG_LEVEL: 'silent' });
  const target = await aLoggingDevice(other);
  const { id } = await target.ask();
  const { uploadUrl } = await target.frame();
  const hanging = sayHead(uploadUrl, 'content-length: 1000');
  await until(async () => ((await target.read(id)).status === 'uploading' ? true : undefined));
  await other.end();
  expect(await hanging).toMatch(/^HTTP\/1.1 503 /);
});

it('a link begins where people reach the platform', () => {
  const platform = { ...world.platform, publicUrl: () => 'https://iot.example' };
  const right = { may: 'putImport', projectId: 'prj_1', importId: 'imp_1' } as const;
  expect(fileUrl(platform, right, new Date(36_000))).toMatch(
    /^https:\/\/iot.example\/files\/pi\.prj_1\.imp_1\.10\.[\w-]{43}$/,
  );
});

/** Says the head of an upload and no body; what is answered. */
function sayHead(url: string, ...headers: string[]): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write([`PUT ${pathname} HTTP/1.1`, 'host: a', 'connection: close', ...headers, '', ''].join('\r\n'));
  return text(socket);
}

/** Sends a part of a file and goes away. */
async function sendPart(url: string, file: Buffer, bytes: number): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: a\r\ncontent-length: ${file.length}\r\n\r\n`);
  await new Promise(resolve => socket.write(file.subarray(0, bytes), resolve));
  await wait(5);
  socket.resetAndDestroy();
}
