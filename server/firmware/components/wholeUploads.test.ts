import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeVersionUpload, readVersionUpload, startVersionUpload } from '#contract/componentVersion.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { put } from '#test/logRequests.ts';
import { anS3 } from '#test/s3.ts';
import { anUploadTarget, digest, download, sha256 } from '#test/uploads.ts';
import { aWorld, theWorld, type World } from '#test/world.ts';

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

describe.each([
  ['the disk', () => onDisk],
  ['S3', () => onS3],
])('on %s, a file of unknown size', (_, world) => {
  it('is sent whole to one URL, the last attempt counts, and its size is known once it has arrived', async () => {
    const { call, params, settled } = await anUploadTarget(world());
    const {
      uploadId,
      url = '',
      urls,
      filename,
      sizeBytes,
    } = await call(startVersionUpload, {
      params,
      body: { parts: 1 },
    });
    expect([urls, sizeBytes]).toEqual([[url], 0]);
    expect(filename).toMatch(/^[\w-]+-[\w.]+\.bin$/);
    const of = { params: { ...params, uploadId } };
    await failing(call(completeVersionUpload, { ...of, body: {} }), 'PARTS_MISSING');
    const [longer, file] = [randomBytes(9000), randomBytes(5000)];
    for (const sent of [longer, file])
      expect(await put(url, new Uint8Array(sent), digest(sent))).toEqual({ status: 204 });
    expect(await call(readVersionUpload, of)).toMatchObject({ sizeBytes: file.length, stored: [1], url });
    await call(completeVersionUpload, { ...of, body: {} });
    const ready = await settled();
    expect(ready).toMatchObject({ state: 'ready', checksum: sha256(file), sizeBytes: file.length, filename });
    expect((await download(ready.url)).equals(file)).toBe(true);
  });

  it('is not empty, and has the announced digest', async () => {
    const { call, params } = await anUploadTarget(world());
    const { url = '' } = await call(startVersionUpload, { params, body: { parts: 1 } });
    const file = new Uint8Array(randomBytes(100));
    expect(await put(url, new Uint8Array())).toMatchObject({ status: 422, reason: 'FILE_UNFIT' });
    expect(await put(url, file, digest(randomBytes(100)))).toMatchObject({ reason: 'DIGEST_MISMATCH' });
    expect((await put(url, file)).status).toBe(204);
  });
});

it('an upload needs the size of its file, unless it is sent as one part', async () => {
  const { call, params } = await anUploadTarget(onDisk);
  for (const body of [{}, { parts: 2 }, { filename: 'a.bin' }]) {
    const { fields } = await failing(call(startVersionUpload, { params, body }), 'INVALID_FIELDS');
    expect(fields).toEqual({ bytes: 'REQUIRED' });
  }
});

it('the log of an upload does not contain the link that takes the file', async () => {
  const { call, params } = await anUploadTarget(onDisk);
  const { uploadId, url = '' } = await call(startVersionUpload, { params, body: { parts: 1 } });
  const entries = await onDisk.platform.db.many<{ detail: string }>(sql`
    select detail::text as detail from log_entries where action = 'startVersionUpload'
      and detail::text like ${`%${uploadId}%`}`);
  expect(entries).toHaveLength(1);
  expect(entries[0]?.detail).not.toContain(new URL(url).pathname);
});
