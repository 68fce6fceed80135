import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { anS3 } from '#test/s3.ts';
import { aWebServer } from '#test/webServer.ts';
import { createDiskStorage } from './disk.ts';
import { S3Storage } from './s3.ts';
import type { Storage } from './storage.ts';

const mebibyte = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'mooring-storage-'));
let s3: Awaited<ReturnType<typeof anS3>>;
const stores: Record<string, () => Storage> = {
  'the disk': () => createDiskStorage(join(folder, 'files')),
  S3: () => new S3Storage(s3.config),
};

beforeAll(async () => {
  s3 = await anS3();
});
afterAll(async () => {
  await s3.end();
  rmSync(folder, { recursive: true });
});

let count = 0;
const aPlace = () => `fil_test${(count++).toString().padStart(6, '0')}`;

async function* chunks(...given: (Uint8Array | string | Error)[]) {
  for (const one of given) {
    if (one instanceof Error) throw one;
    yield Buffer.from(one);
  }
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was not refused'),
    error => (error instanceof Problem ? error.reason : String(error)),
  );

describe.each(Object.entries(stores))('on %s', (_, open) => {
  it('a file is read back as it was written, with its size and checksum', async () => {
    const [store, place, bytes] = [open(), aPlace(), randomBytes(3 * mebibyte)];
    const written = await store.write(place, chunks(bytes.subarray(0, 5), bytes.subarray(5)), 4 * mebibyte);
    expect(written).toEqual({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(await store.size(place)).toBe(bytes.length);
    expect((await buffer(await store.read(place))).equals(bytes)).toBe(true);
  });

  it('a file of many parts is read back as it was written', async () => {
    const [store, place] = [open(), aPlace()];
    const parts = Array.from({ length: 20 }, () => randomBytes(mebibyte + 1));
    await store.write(place, chunks(...parts), 32 * mebibyte);
    expect((await buffer(await store.read(place))).equals(Buffer.concat(parts))).toBe(true);
  });

  it.each([8 * mebibyte - 1, 8 * mebibyte, 8 * mebibyte + 1, 16 * mebibyte])(
    'a file of %i bytes is read back with its exact length',
    async size => {
      const [store, place] = [open(), aPlace()];
      await store.write(place, chunks(Buffer.alloc(size, 7)), size);
      expect(await store.size(place)).toBe(size);
    },
  );

  it('a file can be empty', async () => {
    const [store, place] = [open(), aPlace()];
    expect((await store.write(place, chunks(), 1)).bytes).toBe(0);
    expect(await store.size(place)).toBe(0);
    expect((await buffer(await store.read(place))).length).toBe(0);
  });

  it('a range includes both its ends', async () => {
    const [store, place] = [open(), aPlace()];
    await store.write(place, chunks('0123456789'), 100);
    expect((await buffer(await store.read(place, { from: 2, to: 4 }))).toString()).toBe('234');
    expect((await buffer(await store.read(place, { from: 9, to: 9 }))).toString()).toBe('9');
  });

  it.each([10, 10 * mebibyte])(
    'nothing is stored of a file that is a byte longer than %i',
    async bytesMax => {
      const [store, place] = [open(), aPlace()];
      const refused = store.write(place, chunks(Buffer.alloc(bytesMax), 'x'), bytesMax);
      expect(await reasonOf(refused)).toBe('TOO_LARGE');
      expect(await store.size(place)).toBeUndefined();
    },
  );

  it.each([1, 10 * mebibyte])('nothing is stored of a source that breaks after %i bytes', async bytes => {
    const [store, place] = [open(), aPlace()];
    const broken = store.write(place, chunks(Buffer.alloc(bytes), new Error('gone')), 20 * mebibyte);
    expect(await reasonOf(broken)).toBe('Error: gone');
    expect(await store.size(place)).toBeUndefined();
  });

  it('a removed file no longer exists, and removing it again is no error', async () => {
    const [store, place] = [open(), aPlace()];
    await store.write(place, chunks('x'), 1);
    await store.remove(place);
    await store.remove(place);
    expect(await store.size(place)).toBeUndefined();
    expect(await reasonOf(store.read(place))).toBe('FILE_NOT_FOUND');
  });
});

describe('on the disk', () => {
  const open = () => createDiskStorage(join(folder, 'alone'));

  it('removing a file also removes what a killed write left behind', async () => {
    const left = join(folder, 'alone/incoming', 'fil_killed');
    mkdirSync(join(folder, 'alone/incoming'), { recursive: true });
    writeFileSync(left, 'half');
    await open().remove('fil_killed');
    expect(existsSync(left)).toBe(false);
  });

  it.each(['../../etc/passwd', 'a/b', 'a\0b', '..', ''])('%j is refused as a place', async place => {
    await expect(open().write(place, chunks('x'), 1)).rejects.toThrow('not a path');
    await expect(open().read(place)).rejects.toThrow('not a path');
  });

  it.each(['ENOSPC', 'EDQUOT'])('%s is reported as a full store, and leaves nothing behind', async code => {
    const full = Object.assign(new Error('full'), { code });
    expect(await reasonOf(open().write(aPlace(), chunks('half', full), 100))).toBe('STORAGE_FULL');
    expect(readdirSync(join(folder, 'alone/incoming'))).toEqual([]);
  });

  it.each(['ENOSPC', 'EDQUOT'])('%s is also reported for a part, which can be sent again', async code => {
    const [store, place] = [open(), aPlace()];
    const file = { place, upload: await store.begin(place, 4) };
    const full = Object.assign(new Error('full'), { code });
    const part = { number: 1, from: 0, bytes: 4 };
    expect(await reasonOf(store.writePart(file, part, chunks('ha', full)))).toBe('STORAGE_FULL');
    await store.writePart(file, part, chunks('whole'.slice(0, 4)));
    await store.join(file, []);
    await store.join(file, []);
    expect((await buffer(await store.read(place))).toString()).toBe('whol');
    await store.remove(place);
    expect(await reasonOf(store.join(file, []))).toBe('FILE_NOT_FOUND');
    expect(await reasonOf(store.writePart(file, part, chunks('x')))).toBe('UPLOAD_OVER');
  });

  it('a part that arrives after the file was joined changes nothing', async () => {
    const [store, place] = [open(), aPlace()];
    const file = { place, upload: await store.begin(place, mebibyte) };
    const part = { number: 1, from: 0, bytes: mebibyte };
    const joined = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    async function* late() {
      yield Buffer.alloc(mebibyte / 2, 'b');
      begun.resolve();
      await joined.promise;
      yield Buffer.alloc(mebibyte / 2, 'b');
    }
    const writing = reasonOf(store.writePart(file, part, late()));
    await begun.promise;
    await store.writePart(file, part, chunks(Buffer.alloc(mebibyte, 'a')));
    await store.join(file, []);
    joined.resolve();
    expect(await writing).toBe('UPLOAD_OVER');
    expect((await buffer(await store.read(place))).equals(Buffer.alloc(mebibyte, 'a'))).toBe(true);
  });

  it.skipIf(!canMount())('a full disk accepts files again as soon as there is space', async () => {
    const small = mkdtempSync(join(tmpdir(), 'mooring-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', small]);
    try {
      const store = createDiskStorage(small);
      await store.write('fil_first', chunks(Buffer.alloc(mebibyte)), mebibyte);
      const second = () => store.write('fil_second', chunks(Buffer.alloc(1.5 * mebibyte)), 2 * mebibyte);
      expect(await reasonOf(second())).toBe('STORAGE_FULL');
      expect(await store.size('fil_second')).toBeUndefined();
      expect(await store.size('fil_first')).toBe(mebibyte);
      await store.remove('fil_first');
      expect((await second()).bytes).toBe(1.5 * mebibyte);
    } finally {
      execFileSync('umount', [small]);
      rmSync(small, { recursive: true });
    }
  });
});

describe('in S3', () => {
  it('an upload in parts that breaks is aborted, so that its parts cost nothing', async () => {
    await using server = await aWebServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://s3');
      request.resume().on('end', () => {
        if (request.method === 'PUT') response.setHeader('etag', '"part"');
        response.end(searchParams.has('uploads') ? '<A><UploadId>up/1</UploadId></A>' : '');
      });
    });
    const store = new S3Storage({ ...s3.config, url: `http://127.0.0.1:${server.port}/files` });
    const broken = store.write('fil_1', chunks(Buffer.alloc(17 * mebibyte), new Error('gone')), 1e9);
    expect(await reasonOf(broken)).toBe('Error: gone');
    expect(server.asked.at(-1)).toMatch(/^DELETE .*\/files\/fil_1\?uploadId=up%2F1$/);
  });

  it('removing a file also removes the parts of killed uploads', async () => {
    await using server = await aWebServer((request, response) => {
      response.end(
        request.url?.includes('prefix=fil_1') ? '<U><UploadId>a</UploadId><UploadId>b</UploadId></U>' : '',
      );
    });
    await new S3Storage({ ...s3.config, url: `http://127.0.0.1:${server.port}/files` }).remove('fil_1');
    expect(server.asked.map(asked => asked.replace(/127.0.0.1:\d+/, ''))).toEqual([
      'DELETE /files/fil_1',
      'GET /files/?uploads&prefix=fil_1',
      'DELETE /files/fil_1?uploadId=a',
      'DELETE /files/fil_1?uploadId=b',
    ]);
  });

  it('an unavailable store and a full store are each reported as such', async () => {
    const away = new S3Storage({ ...s3.config, url: 'http://127.0.0.1:1/files' });
    expect(await reasonOf(away.write('fil_1', chunks('x'), 1))).toBe('UNAVAILABLE');
    await using server = await aWebServer((_, response) => {
      response.writeHead(400).end('<Error><Code>XMinioStorageFull</Code></Error>');
    });
    const full = new S3Storage({ ...s3.config, url: `http://127.0.0.1:${server.port}/files` });
    expect(await reasonOf(full.write('fil_1', chunks('x'), 1))).toBe('STORAGE_FULL');
  });

  it('a store that reports an error at the very end has stored nothing', async () => {
    await using server = await aWebServer((request, response) => {
      const last = request.method === 'POST' && request.url?.includes('uploadId');
      request.resume().on('end', () => {
        response.end(last ? '<Error><Code>InternalError</Code></Error>' : '<A><UploadId>a</UploadId></A>');
      });
    });
    const store = new S3Storage({ ...s3.config, url: `http://127.0.0.1:${server.port}/files` });
    const write = store.write('fil_1', chunks(Buffer.alloc(9 * mebibyte)), 1e9);
    expect(await reasonOf(write)).toMatch('InternalError');
  });
});

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
