import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { ByteRange } from '#server/infra/storage/storage.ts';
import { BlockCache } from './blockCache.ts';

const content = randomBytes(1_000_000);
const file = { place: 'fil_1', sizeBytes: content.length };

/** A cache over a store that records its reads. */
function aCache(blocksMax: number, bytes = content) {
  const reads: number[] = [];
  const read = async (_place: string, range?: ByteRange) => {
    const { from, to } = range ?? { from: 0, to: bytes.length - 1 };
    reads.push(from);
    return Readable.from([bytes.subarray(from, to + 1)]);
  };
  return { cache: new BlockCache({ read }, blocksMax), reads };
}

const whole = { from: 0, to: content.length - 1 };

it('a block that many readers request at once is read once', async () => {
  const { cache, reads } = aCache(256);
  const all = await Promise.all(Array.from({ length: 50 }, () => buffer(cache.read(file, whole))));
  expect(all.every(one => one.equals(content))).toBe(true);
  expect(reads).toHaveLength(4);
});

it.each([
  [0, 0],
  [262_143, 262_144],
  [262_144, 524_287],
  [5, 999_999],
  [999_999, 999_999],
])('a range from byte %i to %i returns exactly these bytes', async (from, to) => {
  const { cache } = aCache(256);
  expect((await buffer(cache.read(file, { from, to }))).equals(content.subarray(from, to + 1))).toBe(true);
});

it('the cache keeps at most the allowed number of blocks, and evicts the least recently used', async () => {
  const { cache, reads } = aCache(2);
  await buffer(cache.read(file, whole));
  reads.length = 0;
  await buffer(cache.read(file, { from: 900_000, to: 900_001 }));
  expect(reads).toEqual([]);
  await buffer(cache.read(file, { from: 0, to: 1 }));
  expect(reads).toEqual([0]);
});

it('a file that is too short fails the download, and the next download reads it again', async () => {
  const { cache, reads } = aCache(256, content.subarray(0, 100));
  for (let i = 0; i < 2; i++)
    await expect(buffer(cache.read(file, { from: 0, to: 10 }))).rejects.toThrow('shorter');
  expect(reads).toEqual([0, 0]);
});
