import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deleteDevice, editDevice } from '#contract/device.ts';
import { cancelLogRequest, logFileBytesMax } from '#contract/logRequest.ts';
import { deleteProject } from '#contract/project.ts';
import { removeFilesJob } from '#server/api/files/receiveFile.ts';
import { marker } from '#server/api/installation/fileStore.ts';
import { sql } from '#server/infra/db/sql.ts';
import { attempt } from '#test/attempt.ts';
import { aLoggingDevice, asked, logLines, put, uploaded } from '#test/logRequests.ts';
import { until } from '#test/until.ts';
import { storedVersions } from '#test/versions.ts';
import { aWorld, theWorld } from '#test/world.ts';

const world = theWorld();

const aTarget = () => aLoggingDevice(world);

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
  it('of gzip is stored byte for byte, and completes the request', async () => {
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

  it('of plain lines is stored as gzip', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    expect(await put(uploadUrl, logLines(20), { 'content-type': 'text/plain' })).toMatchObject({
      status: 204,
    });
    const answer = await fetch((await target.read(id)).url ?? '');
    expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(logLines(20));
  });

  it.each([
    ['without content', Buffer.alloc(0)],
    ['without lines', gzipSync('')],
    ['of empty lines', '\r\n\n'],
  ])('%s reports that there are no logs', async (_, body) => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    expect(await put(uploadUrl, body)).toMatchObject({ status: 204 });
    expect(await target.read(id)).toMatchObject({ status: 'nologs' });
    expect((await target.read(id)).url).toBeUndefined();
  });

  it.each([
    ['a page', '<html></html>', /Line 1 is not a JSON object/],
    ['a list', '[1]\n', /Line 1/],
    ['half a line', `${logLines(2)}{"ts":`, /Line 3/],
    ['half a gzip', gzipSync(logLines(10_000)).subarray(0, 20_000), /gzip/],
    ['gzip of something else', gzipSync(randomBytes(100_000)), /This is not a log/],
    [
      'gzip with damaged bytes',
      Buffer.concat([gzipSync('{}\n').subarray(0, 12), Buffer.alloc(9, 0xff)]),
      /gzip/,
    ],
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

  it('beyond its size limit is rejected while it arrives, whether its length is announced or not', async () => {
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
  });

  it('that is interrupted leaves nothing, and can be sent again', async () => {
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

  it('is stored once if it is sent several times at once', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    const answers = await Promise.all([1, 2, 3].map(n => put(uploadUrl, gzipSync(logLines(n * 1000)))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, 409, 409]);
    expect(await target.read(id)).toMatchObject({ status: 'success' });
  });

  it('that is started again replaces one that hangs', async () => {
    const target = await aTarget();
    const { id, uploadUrl } = await asked(target);
    const hanging = sayHead(uploadUrl, 'content-length: 1000');
    await until(async () => ((await target.read(id)).status === 'uploading' ? true : undefined));
    expect(await put(uploadUrl, logLines(2))).toMatchObject({ status: 204 });
    expect(await hanging).toMatch(/^HTTP\/1.1 409 /);
    expect(await target.read(id)).toMatchObject({ status: 'success' });
  });

  it('that ends after its request was cancelled does not reopen the request', async () => {
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

  it('by a suspended device, or after its device or project was deleted, is rejected', async () => {
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

it('the store contains no file without a request', async () => {
  const others = await storedVersions(world);
  const { kept = 0, unkept } = await filesLeft();
  expect(unkept).toBe(0);
  const folder = `${world.platform.config.dataDir}/files`;
  // The marker of the store is there from the beginning.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    entry => entry.isFile() && entry.name !== marker,
  );
  expect(files.length).toBe(kept + others.length);
  expect(kept).toBeGreaterThan(3);
});

it('a stop does not wait for an upload that hangs or a download that nobody reads', async () => {
  // Silent, because aborted calls are logged as errors.
  const other = await aWorld({ LOG_LEVEL: 'silent' });
  const lines = Array.from({ length: 24 }, () => `{"text":"${randomBytes(500_000).toString('hex')}"}\n`);
  const unread = await uploaded(other, lines.join(''));
  const socket = say(unread.url, 'GET');
  await once(socket, 'readable');
  const { id, uploadUrl } = await asked(unread.target);
  const hanging = sayHead(uploadUrl, 'content-length: 1000');
  await until(async () => ((await unread.target.read(id)).status === 'uploading' ? true : undefined));
  await other.end();
  expect(await hanging).toMatch(/^HTTP\/1.1 503 /);
  socket.destroy();
});

/** Sends only the head of an upload, without a body; returns the answer. */
function sayHead(url: string, ...headers: string[]): Promise<string> {
  return text(say(url, 'PUT', ...headers));
}

function say(url: string, method: string, ...headers: string[]): Socket {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    [`${method} ${pathname} HTTP/1.1`, 'host: a', 'connection: close', ...headers, '', ''].join('\r\n'),
  );
  return socket;
}

const newestPlace = () =>
  world.platform.db.one<{ place: string | null }>(sql`select max(place) as place from unkept_files`);

/** Sends a part of a file, and disconnects once the server has started to write it. */
async function sendPart(url: string, file: Buffer, bytes: number): Promise<void> {
  const before = await newestPlace();
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: a\r\ncontent-length: ${file.length}\r\n\r\n`);
  await new Promise(resolve => socket.write(file.subarray(0, bytes), resolve));
  await until(async () => ((await newestPlace())?.place === before?.place ? undefined : true));
  socket.resetAndDestroy();
}
