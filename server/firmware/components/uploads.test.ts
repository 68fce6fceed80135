import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cancelVersionUpload,
  deleteComponentVersion,
  partBytesMin,
  readVersionUpload,
} from '#contract/componentVersion.ts';
import { dayMs } from '#rules/time/durations.ts';
import { removeFilesJob } from '#server/api/files/receiveFile.ts';
import { marker } from '#server/api/installation/fileStore.ts';
import { sql } from '#server/infra/db/sql.ts';
import { keepHouse } from '#server/infra/jobs/housekeeping.ts';
import { atOnce } from '#test/atOnce.ts';
import { attempt } from '#test/attempt.ts';
import { failing } from '#test/failing.ts';
import { put } from '#test/logRequests.ts';
import { rawCall } from '#test/rawCall.ts';
import { anS3 } from '#test/s3.ts';
import { until } from '#test/until.ts';
import { anUploadTarget, digest, download, partOf, sha256, upload } from '#test/uploads.ts';
import { aReadyVersion, storedVersions } from '#test/versions.ts';
import { aWorld, theWorld, type World } from '#test/world.ts';
import { uploadChores } from './versions/verifyVersion.ts';

const onDisk = theWorld();
const onS3 = {} as World;
let s3: Awaited<ReturnType<typeof anS3>>;
beforeAll(async () => {
  s3 = await anS3();
  Object.assign(onS3, await aWorld(s3.env));
});
afterAll(async () => {
  await onS3.end();
  await s3.end();
});

const aTarget = (world: World = onDisk) => anUploadTarget(world);

const tidy = (world: World) =>
  removeFilesJob({ ...world.platform, clock: () => new Date('2100-01-01') })({}, attempt);

describe.each([
  ['the disk', () => onDisk],
  ['S3', () => onS3],
])('on %s, a file', (_, world) => {
  it('uploaded in parts, in any order, concurrently and repeatedly, is complete and verified', async () => {
    const target = await aTarget(world());
    const file = randomBytes(3 * partBytesMin - 1);
    const started = await target.start({ bytes: file.length, parts: 3, sha256: sha256(file).toUpperCase() });
    expect(started).toMatchObject({ state: 'open', stored: [], sizeBytes: file.length });
    expect(await target.read()).toMatchObject({ state: 'uploading', uploadId: started.uploadId });
    const send = (number: number) => {
      const part = new Uint8Array(partOf(file, started, number));
      return put(started.urls[number - 1] ?? '', part, digest(part));
    };
    const wrong = new Uint8Array(started.partBytes);
    expect(await put(started.urls[1] ?? '', wrong.subarray(1))).toMatchObject({ status: 422 });
    expect(await put(started.urls[1] ?? '', wrong)).toMatchObject({ status: 204 });
    const answers = await Promise.all([send(3), send(1), send(2)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const params = { ...target.params, uploadId: started.uploadId };
    const resumed = await target.call(readVersionUpload, { params });
    expect(resumed).toEqual({ ...started, stored: [1, 2, 3] });
    await target.complete(started.uploadId);
    const ready = await target.settled();
    expect(ready).toMatchObject({ state: 'ready', checksum: sha256(file), sizeBytes: file.length });
    expect('uploadId' in ready || 'error' in ready).toBe(false);
    expect((await download(ready.url)).equals(file)).toBe(true);
    expect(await target.complete(started.uploadId)).toMatchObject({ state: 'ready' });
    await failing(target.call(readVersionUpload, { params }), 'UPLOAD_NOT_FOUND');
    await failing(target.start({ bytes: 1 }), 'VERSION_HAS_FILE');
    await target.call(deleteComponentVersion, { params: target.params });
    await tidy(world());
    expect((await fetch(ready.url ?? '')).status).toBe(404);
  });

  it('that differs from what was announced fails its version, and another can be uploaded', async () => {
    const target = await aTarget(world());
    const file = randomBytes(5000);
    const failed = await upload(target, file, { sha256: sha256(Buffer.from('another')) });
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining(sha256(file)) });
    expect('url' in failed || 'checksum' in failed).toBe(false);
    const ready = await upload(target, file, { filename: '../../café "1".bin' });
    expect(ready).toMatchObject({ state: 'ready', filename: 'café _1_.bin' });
    expect('error' in ready).toBe(false);
    const header = (await fetch(ready.url ?? '')).headers.get('content-disposition');
    expect(header).toBe(`attachment; filename="caf_ _1_.bin"; filename*=UTF-8''caf%C3%A9%20_1_.bin`);
  });

  it('whose upload was cancelled, replaced or deleted accepts no parts, and leaves nothing stored', async () => {
    const target = await aTarget(world());
    const { call, params } = target;
    const part = new Uint8Array(randomBytes(100));
    const first = await target.start({ bytes: 100 });
    expect((await put(first.urls[0] ?? '', part)).status).toBe(204);
    const second = await target.start({ bytes: 100 });
    expect(await put(first.urls[0] ?? '', part)).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
    await failing(target.complete(first.uploadId), 'UPLOAD_NOT_FOUND');
    await call(cancelVersionUpload, { params: { ...params, uploadId: second.uploadId } });
    expect(await target.read()).toMatchObject({ state: 'empty' });
    const third = await target.start({ bytes: 100 });
    await call(deleteComponentVersion, { params });
    expect(await put(third.urls[0] ?? '', part)).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
    await tidy(world());
    const left = await world().platform.db.many(sql`select place from unkept_files`);
    expect(left).toEqual([]);
  });
});

const withDigest = (value: string) => ({ 'content-digest': value });

describe('an upload', () => {
  it('refuses a part with another length or digest, and then lists it as missing', async () => {
    const target = await aTarget();
    const started = await target.start({ bytes: 1000 });
    const [url = ''] = started.urls;
    const part = new Uint8Array(1000).fill(7);
    expect((await put(url, part)).status).toBe(204);
    for (const wrong of [part.subarray(1), new Uint8Array(1001), new Uint8Array(0)])
      expect(await put(url, wrong)).toEqual({ status: 422, reason: 'FILE_UNFIT' });
    const other = digest(Buffer.from('other'));
    expect(await put(url, part, other)).toEqual({ status: 422, reason: 'DIGEST_MISMATCH' });
    const { context } = await failing(target.complete(started.uploadId), 'PARTS_MISSING');
    expect(context).toEqual({ missing: [1], missingCount: 1 });
    expect(await put(url, part, withDigest(`sha-512=:AAAA:, ${other['content-digest']}`))).toEqual({
      status: 422,
      reason: 'DIGEST_MISMATCH',
    });
    expect((await put(url, part, digest(part))).status).toBe(204);
    await target.complete(started.uploadId);
    expect(await target.settled()).toMatchObject({ state: 'ready', checksum: sha256(part) });
    expect(await put(url, part)).toEqual({ status: 409, reason: 'UPLOAD_OVER' });
  });

  it.each([
    'sha-256=R',
    'sha-256=:R',
    'SHA-256=:R:',
    'sha-256=::',
    'sha-256=:AAAA:',
    'sha-256',
    'R',
    '',
    'md5=:',
  ])('refuses the malformed digest %j instead of storing the part unchecked', async form => {
    const target = await aTarget();
    const { urls } = await target.start({ bytes: 10 });
    const part = new Uint8Array(10).fill(7);
    const right = Buffer.from(sha256(part), 'hex').toString('base64');
    const malformed = withDigest(form.replace('R', right));
    expect(await put(urls[0] ?? '', part, malformed)).toEqual({ status: 400, reason: 'MALFORMED' });
  });

  it('takes a part with a digest of another kind, or with parameters', async () => {
    const target = await aTarget();
    const { urls } = await target.start({ bytes: 10 });
    const part = new Uint8Array(10).fill(7);
    const right = digest(part)['content-digest'];
    for (const form of [
      'sha-512=:AAAA:',
      `unixsum=30637, ${right}`,
      `${right};a=1;b`,
      `sha-256=:AAAA:,${right}`,
    ])
      expect((await put(urls[0] ?? '', part, withDigest(form))).status).toBe(204);
  });

  it('lacks a part whose repeated transfer broke off', async () => {
    const target = await aTarget();
    const started = await target.start({ bytes: 1_000_000 });
    const [url = ''] = started.urls;
    expect((await put(url, new Uint8Array(1_000_000))).status).toBe(204);
    await sendHalf(url, 1_000_000, async () => {
      const params = { ...target.params, uploadId: started.uploadId };
      const { stored } = await target.call(readVersionUpload, { params });
      return stored.length === 0 ? true : undefined;
    });
    await failing(target.complete(started.uploadId), 'PARTS_MISSING');
    expect((await put(url, new Uint8Array(1_000_000))).status).toBe(204);
    await target.complete(started.uploadId);
    expect(await target.settled()).toMatchObject({ state: 'ready' });
  });

  it('has parts of a size that the store accepts', async () => {
    const target = await aTarget();
    const mebibyte = 1024 ** 2;
    const refused = [
      { bytes: 65 * mebibyte, parts: 1 },
      { bytes: 9 * mebibyte, parts: 2 },
      { bytes: 100, parts: 2 },
    ];
    for (const body of refused) await failing(target.start(body), 'PARTS_UNFIT');
    await failing(target.start({ bytes: 0 }), 'INVALID_FIELDS');
    await failing(target.start({ bytes: 2 * 1024 ** 3 + 1 }), 'INVALID_FIELDS');
    const large = await target.start({ bytes: 2 * 1024 ** 3 });
    expect([large.urls.length, large.partBytes]).toEqual([256, 8 * mebibyte]);
    const one = await target.start({ bytes: 64 * mebibyte, parts: 1 });
    expect([one.urls.length, one.partBytes]).toEqual([1, 64 * mebibyte]);
  });

  it('is completed once, even with concurrent calls', async () => {
    const target = await aTarget();
    const file = randomBytes(100_000);
    const started = await target.start({ bytes: file.length });
    await put(started.urls[0] ?? '', new Uint8Array(file));
    const { answers, reasons } = await atOnce(8, () => target.complete(started.uploadId));
    expect([answers.length, reasons]).toEqual([8, []]);
    const address = `${onDisk.url}/api/componentVersions/${target.version.id}/uploads/${started.uploadId}`;
    expect((await rawCall(target.owner.fetch, ['POST', address], {})).status).toBe(200);
    expect(await target.settled()).toMatchObject({ state: 'ready', checksum: sha256(file) });
    const params = { ...target.params, uploadId: started.uploadId };
    await failing(target.call(cancelVersionUpload, { params }), 'UPLOAD_NOT_FOUND');
  });

  it('has one clear outcome if it is completed and cancelled, or its version deleted, at once', async () => {
    for (let round = 0; round < 6; round++) {
      const target = await aTarget();
      const started = await target.start({ bytes: 10 });
      await put(started.urls[0] ?? '', new Uint8Array(10));
      const params = { ...target.params, uploadId: started.uploadId };
      const other = round % 2 ? cancelVersionUpload : deleteComponentVersion;
      const ended = target.call(other, { params }).then(
        () => true,
        () => false,
      );
      await target.complete(started.uploadId).catch(() => undefined);
      if (round % 2) expect((await target.settled()).state).toBe((await ended) ? 'empty' : 'ready');
      else {
        expect(await ended).toBe(true);
        await failing(target.read(), 'COMPONENT_VERSION_NOT_FOUND');
      }
    }
  });

  it('that nobody completes is deleted after a day, with its stored parts', async () => {
    const world = await aWorld();
    const target = await aTarget(world);
    const others = await storedVersions(world);
    const started = await target.start({ bytes: 10 });
    await put(started.urls[0] ?? '', new Uint8Array(10));
    world.pass(dayMs + 1000);
    const late = await put(started.urls[0] ?? '', new Uint8Array(10));
    expect(late).toEqual({ status: 403, reason: 'LINK_EXPIRED' });
    const { db, clock, log } = world.platform;
    await keepHouse({ db, clock, log, chores: uploadChores })({}, attempt);
    const row = await db.one(
      sql`select state, error from component_versions where id = ${target.version.id}`,
    );
    expect(row).toEqual({ state: 'failed', error: expect.stringContaining('24 hours') });
    await tidy(world);
    expect(filesOf(world)).toEqual(others);
    await world.end();
  });
});

it('the store contains no files without a version', async () => {
  const owner = await onDisk.aDeveloper();
  const { id: projectId } = await onDisk.aProject(owner);
  await aReadyVersion(onDisk, owner, projectId);
  await onDisk.platform.db.run(sql`delete from version_uploads where state = 'open'`);
  const places = await storedVersions(onDisk);
  await tidy(onDisk);
  expect(filesOf(onDisk)).toEqual(places);
});

/** The files in the store besides its marker, including incomplete ones. */
function filesOf({ platform }: World): string[] {
  const folder = `${platform.config.dataDir}/files`;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile() && entry.name !== marker)
    .map(({ name }) => name)
    .sort();
}

/** Sends half of a part, and disconnects once the server has started to receive it. */
async function sendHalf(url: string, bytes: number, begun: () => Promise<true | undefined>): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`PUT ${pathname} HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes}\r\n\r\n`);
  await new Promise(resolve => socket.write(Buffer.alloc(bytes / 2, 9), resolve));
  await until(begun);
  socket.resetAndDestroy();
}
